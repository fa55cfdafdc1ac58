import fc from 'fast-check'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { hasPossibleLength, readPhone } from './phones.rules.ts'

/** Matches South African numbers without a missing digit. The library accepts shorter mobile numbers, which no network uses. */
const wholeOrAbroad = /^\+(?!27)|^\+27(?:\d{9}|861\d{7})$/

/** Returns the result of the library for a number of possible length: the E.164 form, or null. */
function byLibrary(typed: string, region: CountryCode | null): string | null {
  const value = typed.replace(/^00/, '+')
  if (region === null && !value.startsWith('+')) return null
  const options = { extract: false, ...(region === null ? {} : { defaultCountry: region }) }
  const number = parsePhoneNumberFromString(value, options)
  return number?.isValid() === true && wholeOrAbroad.test(number.number) ? number.number : null
}

test('every network of South Africa is parsed as by the library, except numbers that lack a digit: all first four digits, with the first and last number of each', () => {
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

test.for([
  ['+27825558826', true],
  ['+27861123456', true],
  ['+278611234567', true],
  // No network uses this number, but its length is possible.
  ['+27991234567', true],
  ['+15550101234', true],
  ['+442079460958', true],
  ['+2782555884', false],
  ['+278255588444', false],
  ['+2711555884', false],
  ['+2710111', false],
  ['+155501012', false],
  ['+2648212345', false],
  ['+9991234567', false],
] as const)('the length of %s is possible: %s', ([number, expected]) => {
  expect(hasPossibleLength(number)).toBe(expected)
})
