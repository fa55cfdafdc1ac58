import { expect, test } from 'vitest'
import { labelForms } from './labels.rules.ts'

const ascii = (label: string) => `${new URL(`http://${label}.example`).hostname}`
const forms = (label: string) => labelForms(ascii(label))

test.for([
  ['раypal', 'paypal'],
  ['аррӏе', 'apple'],
  ['café', 'cafe'],
  ['gοοgle', 'google'],
  ['ѕсоре', 'scope'],
] as const)('%s has the skeleton of %s', ([one, other]) => {
  expect(forms(one).skeleton).toBe(forms(other).skeleton)
})

test.for([
  ['k4roo', 'karoo'],
  ['karooo', 'karoo'],
  ['windpump', 'windpumps'],
  ['mint', 'hint'],
] as const)('%s is not taken for %s', ([one, other]) => {
  expect(forms(one).letters).not.toBe(forms(other).letters)
})

test.for([
  ['kar00', 'karoo'],
  ['rnicro', 'micro'],
  ['vvindpump', 'windpump'],
  ['1imited', 'limited'],
] as const)('%s and %s have similar letters, and other skeletons', ([one, other]) => {
  expect([forms(one).letters, forms(one).skeleton === forms(other).skeleton]).toEqual([forms(other).letters, false])
})

test('a label is compared with names without hyphens', () => {
  expect(labelForms('karoo-wind-pumps.co.za').label).toBe('karoowindpumps')
})
