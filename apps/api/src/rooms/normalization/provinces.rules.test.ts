import { expect, test } from 'vitest'
import { provinceCodeOf, provinceCodes } from './provinces.rules.ts'

test.for([
  ['Gauteng', 'GP'],
  ['gp', 'GP'],
  ['  KWAZULU   NATAL ', 'KZN'],
  ['KwaZulu-Natal Province', 'KZN'],
  ['Wes-Kaap', 'WC'],
  ['Noordwes', 'NW'],
  ['Vrystaat', 'FS'],
  ['Nova Scotia', 'other'],
  ['Cape', 'other'],
  [null, null],
] as const)('the province %j is %j', ([typed, code]) => {
  expect(provinceCodeOf(typed)).toBe(code)
})

test('every code is read as itself', () => {
  expect(provinceCodes.map((code) => provinceCodeOf(code))).toEqual([...provinceCodes])
})
