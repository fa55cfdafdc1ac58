import { expect, test } from 'vitest'
import {
  onlyProvinceIn,
  provinceCodeOf,
  provinceCodes,
  provinceSet,
  provincesIn,
  readProvinces,
} from './provinces.rules.ts'

test.for([
  ['Gauteng', 'GP'],
  ['gp', 'GP'],
  ['  KWAZULU   NATAL ', 'KZN'],
  ['KwaZulu-Natal Province', 'KZN'],
  ['Wes-Kaap', 'WC'],
  ['Noordwes', 'NW'],
  ['Vrystaat', 'FS'],
  ['GAUTENG.', 'GP'],
  ['ZA-WC', 'WC'],
  ['7. Gauteng', 'GP'],
  ['ZA-GT', 'GP'],
  ['ZA-NL', 'KZN'],
  ['W Cape', 'WC'],
  ['W. Cape', 'WC'],
  ['E/Cape', 'EC'],
  ['N.W.', 'NW'],
  ['K.Z.N', 'KZN'],
  ['Limpopo: Northern Province', 'LP'],
  ['Gauteng (GP), South Africa', 'GP'],
  ['Wes-Kaap / Western Cape', 'WC'],
  ['Kwa-Zulu Natal', 'KZN'],
  ['KwaZulu/Natal', 'KZN'],
  ['Natal', 'KZN'],
  ['Free-State', 'FS'],
  ['Oranje-Vrystaat', 'FS'],
  ['Oos-Transvaal', 'MP'],
  ['Province of the Eastern Cape', 'EC'],
  ['Ｇａｕｔｅｎｇ', 'GP'],
  ['Nova Scotia', 'other'],
  ['Cape', 'other'],
  ['NP', 'other'],
  ['WP', 'other'],
  ['Transvaal', 'other'],
  ['Eastern Cape / Western Cape', 'other'],
  ['Western Province', 'other'],
  ['South Africa', 'other'],
  ['Gauteng North', 'other'],
  ['.', 'other'],
  [null, null],
] as const)('the province %j is %j', ([typed, code]) => {
  expect(provinceCodeOf(typed)).toBe(code)
})

test('every code is read as itself', () => {
  expect(provinceCodes.map((code) => provinceCodeOf(code))).toEqual([...provinceCodes])
})

test.for([
  ['Transvaal', ['GP', 'LP', 'MP', 'NW']],
  ['NP', ['LP', 'NC']],
  ['WP', ['NW', 'WC']],
  ['Kaap', ['EC', 'NC', 'WC']],
  ['NP Limpopo', ['LP']],
  ['Eastern Cape / Western Cape', ['EC', 'WC']],
  ['Nova Scotia', []],
] as const)('the text %j can mean %j', ([typed, codes]) => {
  expect(provincesIn(readProvinces(typed))).toEqual(codes)
})

test('a set has one province exactly if it was made of one', () => {
  for (const code of provinceCodes) {
    expect(onlyProvinceIn(provinceSet([code]))).toBe(code)
    expect(onlyProvinceIn(provinceSet([code, code === 'WC' ? 'EC' : 'WC']))).toBeNull()
  }
  expect(onlyProvinceIn(0)).toBeNull()
})
