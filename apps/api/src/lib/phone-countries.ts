import { createRequire } from 'node:module'
import type * as PhoneNumbers from 'libphonenumber-js/max'

/*
 * The metadata of all countries takes 12 MB and 30 ms, so it loads at first use instead of at start. The smaller metadata of the same package accepts
 * numbers that no network has.
 */
const require = createRequire(import.meta.url)
let library: typeof PhoneNumbers | undefined

export function phoneNumbers(): typeof PhoneNumbers {
  library ??= require('libphonenumber-js/max') as typeof PhoneNumbers
  return library
}

/** ISO 3166 alpha-2 code of a country whose numbering plan the library has. */
export type PhoneCountry = PhoneNumbers.CountryCode

export function isPhoneCountry(code: string): code is PhoneCountry {
  return phoneNumbers().isSupportedCountry(code)
}

/** Lists every country with a numbering plan, with its code and its calling code. */
export function listPhoneCountries(): { code: PhoneCountry; callingCode: string }[] {
  const { getCountries, getCountryCallingCode } = phoneNumbers()
  return getCountries()
    .sort()
    .map((code) => ({ code, callingCode: getCountryCallingCode(code) }))
}
