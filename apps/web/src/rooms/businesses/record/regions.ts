/** The countries offered as the context of a phone number: ISO 3166-1 codes, as the API takes them. */
export const regions = [
  { value: 'ZA', label: 'South Africa +27' },
  { value: 'BW', label: 'Botswana +267' },
  { value: 'LS', label: 'Lesotho +266' },
  { value: 'MZ', label: 'Mozambique +258' },
  { value: 'NA', label: 'Namibia +264' },
  { value: 'SZ', label: 'Eswatini +268' },
  { value: 'ZW', label: 'Zimbabwe +263' },
  { value: 'GB', label: 'United Kingdom +44' },
]
