import { createRequire } from 'node:module'
import type * as PhoneNumbers from 'libphonenumber-js/max'

/*
 * Phone numbers of all countries. The metadata take 12 MB and 30 ms, so they are loaded at their first use and not at the start. The smaller metadata
 * of the same package would accept numbers that no network uses.
 */
const require = createRequire(import.meta.url)
let library: typeof PhoneNumbers | undefined

export function phoneNumbers(): typeof PhoneNumbers {
  library ??= require('libphonenumber-js/max') as typeof PhoneNumbers
  return library
}

/** ISO 3166 alpha-2 code of a country whose phone numbers the library knows. */
export type PhoneCountry = PhoneNumbers.CountryCode

export function isPhoneCountry(code: string): code is PhoneCountry {
  return phoneNumbers().isSupportedCountry(code)
}

/** Lists every country whose phone numbers the library knows, with its code and its calling code. */
export function listPhoneCountries(): { code: PhoneCountry; callingCode: string }[] {
  const { getCountries, getCountryCallingCode } = phoneNumbers()
  return getCountries()
    .sort()
    .map((code) => ({ code, callingCode: getCountryCallingCode(code) }))
}
