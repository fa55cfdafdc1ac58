import fc from 'fast-check'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { readPhone } from './phones.rules.ts'

/** Returns the result of the library alone: the E.164 form, or null. */
function byLibrary(typed: string, region: CountryCode | null): string | null {
  const value = typed.replace(/^00/, '+')
  if (region === null && !value.startsWith('+')) return null
  const options = { extract: false, ...(region === null ? {} : { defaultCountry: region }) }
  const number = parsePhoneNumberFromString(value, options)
  return number?.isValid() === true ? number.number : null
}

test('every network of South Africa is parsed as by the library: all first four digits, with the first and last number of each', () => {
  const different: string[] = []
  for (let network = 0; network < 10_000; network++) {
    for (const rest of ['00000', '12345', '99999']) {
      const value = `+27${String(network).padStart(4, '0')}${rest}`
      if (readPhone(value, null).normalized !== byLibrary(value, null)) different.push(value)
    }
  }
  expect(different).toEqual([])
})

test('numbers in plain forms, of any length and country, are parsed as by the library', () => {
  const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^\\d{${least},${most}}$`))
  const between = fc.constantFrom('', ' ', '-')
  const number = fc
    .tuple(
      fc.constantFrom('+27', '0', '+', '+264', '+44', '+1'),
      between,
      digits(1, 3),
      between,
      digits(2, 4),
      between,
      digits(3, 5),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      number,
      fc.constantFrom('ZA' as const, 'US' as const, 'GB' as const, 'NA' as const, null),
      (value, region) => {
        expect(readPhone(value, region).normalized).toBe(byLibrary(value, region))
      },
    ),
    { numRuns: 20_000 },
  )
})
