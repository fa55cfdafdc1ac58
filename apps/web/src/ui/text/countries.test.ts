import { describe, expect, test } from 'vitest'
import { countryName, countryOptions, findCountries } from './countries.ts'

const countries = [
  { code: 'AU', callingCode: '61' },
  { code: 'CI', callingCode: '225' },
  { code: 'GB', callingCode: '44' },
  { code: 'US', callingCode: '1' },
  { code: 'ZA', callingCode: '27' },
]

test('a country code has a name, and other text stays as it is', () => {
  expect(['ZA', 'US', 'XX', 'za', ''].map(countryName)).toEqual(['South Africa', 'United States', 'XX', 'za', ''])
})

describe('options', () => {
  test('are sorted by name', () => {
    expect(countryOptions(countries, 'ZA').map(({ label }) => label)).toEqual([
      'Australia +61',
      'Côte d’Ivoire +225',
      'South Africa +27',
      'United Kingdom +44',
      'United States +1',
    ])
  })

  test('contain the selected country even if the list is missing or lacks it', () => {
    expect(countryOptions([], 'ZA')).toEqual([{ value: 'ZA', label: 'South Africa' }])
    expect(countryOptions([], null)).toEqual([])
    expect(countryOptions(countries, 'XX').at(-1)).toEqual({ value: 'XX', label: 'XX' })
  })
})

describe('typed text finds', () => {
  const found = (typed: string) => findCountries(countryOptions(countries, 'ZA'), typed).map(({ value }) => value)

  test.each([
    ['', ['AU', 'CI', 'ZA', 'GB', 'US']],
    ['us', ['US', 'AU']],
    ['south', ['ZA']],
    ['united', ['GB', 'US']],
    ['cote d', ['CI']],
    ['+27', ['ZA']],
    ['atlantis', []],
  ])('"%s": a code first, then names that start with it, then other parts', (typed, expected) => {
    expect(found(typed)).toEqual(expected)
  })
})
