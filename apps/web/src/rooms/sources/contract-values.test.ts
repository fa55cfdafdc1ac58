import { describe, expect, test } from 'vitest'
import { directoryAdapter, dnsAdapter } from '../../../test/source-adapters.ts'
import { contractField, contractProblems } from './contract-problems.ts'
import { type Contract, contractOf, isJsonObject, movedSettings, prescribed, typedContract } from './contract-values.ts'

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
const blank = typedContract({})
const dns: Contract = { settings: { resolvers: ['office'], forbiddenNames: [] } }

test.each([undefined, directoryAdapter])('a contract that is opened and saved stays the same', (adapter) => {
  const typed = typedContract(whole, adapter)
  expect(contractProblems(typed, adapter)).toEqual({})
  expect(contractOf(typed, adapter)).toEqual(whole)
  expect(contractOf(typedContract({}, adapter), adapter)).toEqual({})
})

describe('an item with several fields', () => {
  test.each<[string, Partial<typeof blank>, string[]]>([
    ['terms', { reference: 'Agreement' }, ['ownerId', 'reviewDueOn']],
    ['terms', { ownerId: 'u1', reviewDueOn: '2027-06-01' }, ['reference']],
    ['scope', { fields: ['name'] }, ['maxRecords']],
    ['scope', { maxRecords: 5 }, ['fields']],
    ['scope', { provinces: ['GP'] }, ['fields', 'maxRecords']],
    ['rate', { perMinute: 30 }, ['perDay']],
    ['rate', { perDay: 30 }, ['perMinute']],
    ['health', { degradedRatio: 10 }, ['degradedSeconds']],
    ['health', { degradedSeconds: 2 }, ['degradedRatio']],
    ['circuit', { stopRatio: 50 }, ['stopFailures', 'stopSeconds', 'closeAfter']],
    ['circuit', { stopRatio: 50, stopFailures: 3, stopSeconds: 4 }, ['closeAfter']],
  ])('has an error at each blank field if only some are filled: %s', (_item, part, fields) => {
    expect(Object.keys(contractProblems({ ...blank, ...part }, undefined)).toSorted()).toEqual(fields.toSorted())
  })

  test('may be blank as a whole, so that the version is saved as incomplete', () => {
    expect(contractProblems(blank, undefined)).toEqual({})
  })
})

test('nothing that was typed is dropped: unknown values are errors', () => {
  const typed = {
    ...typedContract(whole, directoryAdapter),
    provinces: ['GP', 'Bavaria'],
    fields: ['name', 'mx'],
    purposes: ['business_records', 'dns'],
    reviewDueOn: 'in June',
    maxRecords: '1.000',
  }
  expect(contractProblems(typed, directoryAdapter)).toEqual({
    provinces: 'Not in the list: “Bavaria”.',
    fields: 'Not in the list: “mx”.',
    purposes: 'Not in the list: “dns”.',
    reviewDueOn: expect.stringMatching(/^Enter a date/),
    maxRecords: 'Enter a whole number, such as 500.',
  })
})

test('fields of an adapter that is not loaded are typed freely', () => {
  expect(contractProblems({ ...typedContract(whole), fields: ['anything'] }, undefined)).toEqual({})
})

describe('settings', () => {
  test('are inputs if those of the loaded adapter represent them, and an empty list is sent', () => {
    const typed = typedContract(dns, dnsAdapter)
    expect(typed).toMatchObject({ settings: '', settingValues: { resolvers: ['office'], forbiddenNames: [] } })
    expect(contractOf(typed, dnsAdapter)).toEqual(dns)
  })

  test.each<[string, Record<string, unknown>]>([
    ['an unknown property', { resolvers: ['office'], forbiddenNames: [], retries: 2 }],
    ['a value of another type', { resolvers: 'office', forbiddenNames: [] }],
  ])('with %s stay a JSON object, so that nothing is lost', (_what, settings) => {
    const typed = typedContract({ settings }, dnsAdapter)
    expect(typed.settingValues).toEqual({})
    expect(contractOf(typed, dnsAdapter)).toEqual({ settings })
  })

  test('that are begun have an error at each missing input; blank ones are omitted', () => {
    const begun = { ...typedContract(dns, dnsAdapter), settingValues: { forbiddenNames: ['karoo.example'] } }
    expect(contractProblems(begun, dnsAdapter)).toEqual({ 'settingValues.resolvers': 'Choose at least one.' })
    expect(contractOf(typedContract({}, dnsAdapter), dnsAdapter)).toEqual({})
    const unlisted = { ...begun, settingValues: { resolvers: ['home'] } }
    expect(contractProblems(unlisted, dnsAdapter)).toEqual({ 'settingValues.resolvers': 'Not in the list: “home”.' })
  })

  test('follow the choice of another adapter without a loss', () => {
    const typed = typedContract(dns, dnsAdapter)
    const unloaded = { ...typed, ...movedSettings(typed, dnsAdapter, undefined) }
    expect(contractOf(unloaded, undefined)).toEqual(dns)
    expect({ ...unloaded, ...movedSettings(unloaded, undefined, dnsAdapter) }).toEqual(typed)
  })

  test('that are not a JSON object are rejected', () => {
    for (const settings of ['{', '[1]', '7']) {
      expect(isJsonObject(settings)).toBe(false)
      expect(contractProblems({ ...blank, settings }, undefined)).toEqual({ settings: 'Enter a JSON object.' })
    }
  })
})

test('a chosen adapter prescribes its only purpose and what every answer contains', () => {
  expect(prescribed({ ...blank, fields: ['ttl', 'mx'] }, dnsAdapter)).toEqual({
    purposes: ['dns'],
    fields: ['status', 'records', 'ttl', 'aliases', 'mx'],
    maxRecords: 2,
  })
  expect(prescribed({ ...blank, maxRecords: 5 }, dnsAdapter).maxRecords).toBe(5)
})

test.each([
  ['contract.scope.fields', 'fields'],
  ['contract.rate.perDay', 'perDay'],
  ['contract.maxBytes', 'maxMegabytes'],
  ['contract.circuit.latencyMs', 'stopSeconds'],
  ['contract.settings.resolvers.0', 'settingValues.resolvers'],
  ['contract.other', undefined],
  ['slug', undefined],
])('an error at %s appears at its field', (path, field) => {
  expect(contractField(path, dnsAdapter, blank)).toBe(field)
})

test('an error of settings that are a JSON object appears there', () => {
  expect(contractField('contract.settings.resolvers', undefined, blank)).toBe('settings')
  expect(contractField('contract.settings.resolvers', dnsAdapter, { ...blank, settings: '{ "x": 1 }' })).toBe(
    'settings',
  )
})
