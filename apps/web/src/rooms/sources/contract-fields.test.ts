import { expect, test } from 'vitest'
import { type Contract, contractOf, isJsonObject, typedContract, wrongNumbers } from './contract-fields.tsx'

const whole: Contract = {
  terms: { ownerId: 'u1', reference: 'Agreement', reviewDueOn: '2027-06-01' },
  purposes: ['business_records'],
  scope: { fields: ['name', 'phone'], provinces: ['NC', 'WC'], maxRecords: 10 },
  rate: { perMinute: 30, perDay: 1_000 },
  concurrency: 2,
  timeoutMs: 5_000,
  maxBytes: 102_400,
  retry: { maxAttempts: 2 },
  rawRetention: 'days_180',
  health: { failureRatio: 0.2, latencyMs: 2_000 },
  circuit: { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 4_000, closeAfterSuccesses: 2 },
  settings: { region: 'north' },
}

test('a contract that is opened and saved stays the same', () => {
  expect(contractOf(typedContract(whole))).toEqual(whole)
  expect(contractOf(typedContract({}))).toEqual({})
})

test('an item with a missing part is omitted, so the version is saved as incomplete', () => {
  const typed = { ...typedContract(whole), reference: ' ', perDay: '', closeAfter: '' }
  const { terms: _terms, rate: _rate, circuit: _circuit, ...rest } = whole
  expect(contractOf(typed)).toEqual(rest)
})

test('a number that cannot be read is reported and never sent', () => {
  const typed = { ...typedContract(whole), maxRecords: '1.000', timeoutSeconds: '2,5' }
  expect(wrongNumbers(typed)).toEqual({ maxRecords: 'Enter a whole number, such as 500.' })
  expect(contractOf(typed)).toMatchObject({ timeoutMs: 2_500 })
  expect(contractOf(typed)).not.toHaveProperty('scope')
})

test('settings that are not a JSON object are rejected', () => {
  for (const settings of ['{', '[1]', '7']) expect(isJsonObject(settings)).toBe(false)
})
