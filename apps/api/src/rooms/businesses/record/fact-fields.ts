/** Fields of a business that evidence can state and that columns of a file can be mapped to. */
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
