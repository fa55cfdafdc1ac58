import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { formatNumberIn } from './format.ts'
import { adoptLocale } from './locale.ts'
import { knownLocales } from './locales.ts'
import { numberOf, numberProblem, numberProblems, numberText, readNumberIn } from './typed-number.ts'

afterEach(() => adoptLocale('en-ZA'))

const withPoint = ['en-AU', 'en-BW', 'en-GB', 'en-IE', 'en-IN', 'en-KE', 'en-NA', 'en-NG', 'en-NZ', 'en-US'] as const
const withComma = ['en-DE', 'en-NL'] as const

test('the locales below are all locales of a workspace', () => {
  expect([...withPoint, ...withComma, 'en-ZA'].toSorted()).toEqual(knownLocales.toSorted())
})

describe.each(withPoint)('in %s', (locale) => {
  test.each([
    ['1,500', 0, 1_500],
    ['1500', 0, 1_500],
    ['1,234,567.25', 2, 1_234_567.25],
    ['1.5', 2, 1.5],
    ['-20.25', 2, -20.25],
    // A group in other locales, three decimals in this one.
    ['1.500', 0, null],
    ['1.500', 2, null],
    ['1,5', 2, null],
    ['1.500,25', 2, null],
    ['1 500', 0, null],
    ['15,00', 0, null],
  ])('%j with %d decimals is %j', (typed, decimals, number) =>
    expect(readNumberIn(locale, typed, decimals)).toBe(number),
  )
})

describe.each(withComma)('in %s', (locale) => {
  test.each([
    ['1.500', 0, 1_500],
    ['1.500', 2, 1_500],
    ['1500', 0, 1_500],
    ['1.234.567,25', 2, 1_234_567.25],
    ['1,5', 2, 1.5],
    ['1.5', 2, null],
    ['1,500', 0, null],
    ['1,500', 2, null],
    ['1,500.25', 2, null],
    ['1 500', 0, null],
  ])('%j with %d decimals is %j', (typed, decimals, number) =>
    expect(readNumberIn(locale, typed, decimals)).toBe(number),
  )
})

test.each([
  ['1 500', 0, 1_500],
  ['1\u00a0500', 0, 1_500],
  ['1500', 0, 1_500],
  ['1 234 567,25', 2, 1_234_567.25],
  ['−3', 0, -3],
  ['+3', 0, 3],
  ['-0', 0, 0],
  ['1.500', 0, null],
  ['1.5', 2, null],
  ['1,500', 0, null],
  ['1,500', 2, null],
  ['15 00', 0, null],
  ['1e3', 0, null],
  ['0x1f', 0, null],
  ['', 0, null],
  ['many', 0, null],
  ['9999999999999999', 0, null],
])('%j with %d decimals is %j in South Africa', (typed, decimals, number) =>
  expect(readNumberIn('en-ZA', typed, decimals)).toBe(number),
)

test('India also groups by two digits', () => {
  expect(readNumberIn('en-IN', '12,34,567')).toBe(1_234_567)
  expect(readNumberIn('en-IN', '1,234,567')).toBe(1_234_567)
  expect(readNumberIn('en-US', '12,34,567')).toBeNull()
})

test('in every locale a shown number is read as that number', () => {
  const hundredths = fc.integer({ min: -9_999_999_999, max: 9_999_999_999 })
  fc.assert(
    fc.property(fc.constantFrom(...knownLocales), hundredths, (locale, n) => {
      expect(readNumberIn(locale, formatNumberIn(locale, n / 100, 2), 2)).toBe(n === 0 ? 0 : n / 100)
    }),
  )
})

test('no text with at most two decimals is two numbers in two locales', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,3}[.,]\d{1,3}$/), (typed) => {
      const numbers = knownLocales.map((locale) => readNumberIn(locale, typed, 2)).filter((read) => read !== null)
      expect(new Set(numbers).size).toBeLessThanOrEqual(1)
    }),
  )
})

describe('an error', () => {
  test.each([
    ['en-ZA', 'Enter a whole number, such as 1\u00a0500.'],
    ['en-US', 'Enter a whole number, such as 1,500.'],
    ['en-DE', 'Enter a whole number, such as 1.500.'],
  ] as const)('has an example of %s', (locale, message) => {
    adoptLocale(locale)
    expect(numberProblem('1.5', { min: 1, max: 5_000 })).toBe(message)
  })

  test('has an example within the range', () => {
    expect(numberProblem('many', { min: 1, max: 30 })).toBe('Enter a whole number, such as 15.')
    expect(numberProblem('1.5', { min: -100, max: 100, decimals: 2 })).toBe(
      'Enter a number with at most 2 decimals, such as 50,25.',
    )
  })

  test('states the range', () => {
    expect(numberProblem(0, { min: 1, max: 1_825 })).toBe('Enter a number from 1 to 1\u00a0825.')
    expect(numberProblem('0', { min: 1 })).toBe('Enter 1 or more.')
    expect(numberProblem(4, { max: 3 })).toBe('Enter 3 or less.')
    expect(numberProblem(3, { max: 3 })).toBeNull()
    expect(numberProblem('')).toBeNull()
  })

  test('is given for a blank field, except for an optional one', () => {
    const ranges = { days: { max: 30 }, months: { max: 12, isOptional: true } }
    expect(numberProblems({ days: '', months: '' }, ranges)).toEqual({ days: 'Enter a whole number, such as 15.' })
    expect(numberProblems({ days: 3, months: 13 }, ranges)).toEqual({ months: 'Enter 12 or less.' })
  })
})

test('a field shows all decimals of a number, and unreadable text as typed', () => {
  expect([numberText(1_204.375), numberText('1.5'), numberOf('1 204')]).toEqual(['1\u00a0204,375', '1.5', 1_204])
})
