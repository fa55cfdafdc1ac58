/** The fields of a business that somebody can state: what evidence speaks of, and what a column of a file can be read as. */
export const factFields = [
  'name',
  'tradingName',
  'registrationNumber',
  'industry',
  'email',
  'phone',
  'domain',
  'address.street',
  'address.suburb',
  'address.city',
  'address.province',
  'address.postalCode',
  'address.country',
] as const
export type FactField = (typeof factFields)[number]
