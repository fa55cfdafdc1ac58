/** Languages in which people prefer to speak, for menus and for stored codes. */

/** Official languages of South Africa first, then others that desks meet. Browsers do not know the names of all of them. */
const names: Readonly<Record<string, string>> = {
  en: 'English',
  af: 'Afrikaans',
  zu: 'Zulu',
  xh: 'Xhosa',
  st: 'Southern Sotho',
  nso: 'Northern Sotho',
  tn: 'Tswana',
  ts: 'Tsonga',
  ss: 'Swati',
  ve: 'Venda',
  nr: 'Southern Ndebele',
  sfs: 'South African Sign Language',
  nd: 'Northern Ndebele',
  sn: 'Shona',
  ny: 'Nyanja',
  sw: 'Swahili',
  pt: 'Portuguese',
  fr: 'French',
  de: 'German',
  nl: 'Dutch',
  es: 'Spanish',
  it: 'Italian',
  el: 'Greek',
  pl: 'Polish',
  ru: 'Russian',
  tr: 'Turkish',
  ar: 'Arabic',
  he: 'Hebrew',
  am: 'Amharic',
  so: 'Somali',
  rw: 'Kinyarwanda',
  ha: 'Hausa',
  ig: 'Igbo',
  yo: 'Yoruba',
  gu: 'Gujarati',
  hi: 'Hindi',
  ta: 'Tamil',
  te: 'Telugu',
  ur: 'Urdu',
  zh: 'Chinese',
  ja: 'Japanese',
  ko: 'Korean',
}

const browserNames = new Intl.DisplayNames('en', { type: 'language' })

/** 'zu' becomes 'Zulu' and 'en-ZA' becomes 'English (South Africa)'; a code without a known name is returned unchanged. */
export function languageName(code: string): string {
  return names[code] ?? browserNames.of(code) ?? code
}

/** Options for a menu. `held`: the stored code, which stays selectable if the menu lacks it. */
export function languageOptions(held: string): { value: string; label: string }[] {
  const codes = Object.keys(names)
  if (held !== '' && !codes.includes(held)) codes.push(held)
  return codes.map((value) => ({ value, label: languageName(value) }))
}
