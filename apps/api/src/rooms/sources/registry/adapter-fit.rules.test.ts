import { fixtureAdapter } from '@prospect/adapter-contract/test-kit/fixture-adapter'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { mismatchesOf, mismatchSentence } from './adapter-fit.rules.ts'
import type { Contract } from './contract.rules.ts'

const { adapter: fixture } = fixtureAdapter()
/** An adapter whose answers always have the same fields, as those of name servers. */
const fixed = {
  ...fixture,
  id: 'fixed',
  declaration: {
    purposes: ['dns'],
    answerFields: { always: ['status', 'records', 'ttl'], onRequest: ['trace'] },
    minRecords: 2,
    query: null,
    settings: [],
  },
  settingsSchema: z.strictObject({ resolvers: z.array(z.enum(['office'])).min(1) }),
}
const adapters = { file: null, items: [fixture, fixed] } as LoadedAdapters
const ref = { id: 'fixed', version: '1.0.0' }
const scope = { fields: ['status', 'records', 'ttl'], provinces: [], maxRecords: 2 }
const contract: Contract = { purposes: ['dns'], scope, settings: { resolvers: ['office'] } }

const found = (changes: Contract, of = ref) =>
  mismatchesOf(of, adapters, { ...contract, ...changes }).map(({ path, message }) => `${path}: ${message}`)

test('a contract that the adapter can serve fits', () => {
  expect(found({})).toEqual([])
  expect(found({ scope: { ...scope, fields: [...scope.fields, 'trace'] } })).toEqual([])
  expect(
    found(
      {
        scope: { fields: ['name'], provinces: [], maxRecords: 1 },
        purposes: ['business_records'],
        settings: { region: 'north' },
      },
      { id: 'fixture', version: '1.0.0' },
    ),
  ).toEqual([])
})

test.each<[string, Contract, string[]]>([
  [
    'unknown fields',
    { scope: { ...scope, fields: [...scope.fields, 'mx', 'ns'] } },
    ['scope.fields: The adapter fixed 1.0.0 does not know the fields mx, ns. Its fields: status, records, ttl, trace.'],
  ],
  [
    'a field that every answer contains and the contract omits',
    { scope: { ...scope, fields: ['status', 'records'] } },
    ['scope.fields: Every answer of the adapter contains ttl. Without this field no query is permitted.'],
  ],
  [
    'fewer records than a query needs',
    { scope: { ...scope, maxRecords: 1 } },
    ['scope.maxRecords: A query of the adapter needs at least 2 records.'],
  ],
  [
    'a purpose that the adapter does not serve',
    { purposes: ['dns', 'web_pages'] },
    ['purposes: The adapter fixed 1.0.0 does not serve web_pages. It serves: dns.'],
  ],
  [
    'settings that the adapter does not know',
    { settings: { resolvers: [], other: 1 } },
    ['settings.resolvers: At least 1 items.', 'settings.other: Unknown property.'],
  ],
])('%s are named', (_what, changes, expected) => {
  expect(found(changes)).toEqual(expected)
})

test('an adapter that is not loaded, or in another version, is not compared', () => {
  const unfit: Contract = { purposes: ['web_pages'], scope: { ...scope, fields: ['mx'] } }
  expect(found(unfit, { id: 'absent', version: '1.0.0' })).toEqual([])
  expect(found(unfit, { id: 'fixed', version: '2.0.0' })).toEqual([])
})

test('a part of a contract that is missing is no mismatch, except settings that the adapter needs', () => {
  expect(mismatchesOf(ref, adapters, {})).toMatchObject([{ item: 'settings' }])
})

test('the sentence names the setting', () => {
  const wrong = mismatchesOf(ref, adapters, { ...contract, settings: { resolvers: ['home'] } })
  expect(mismatchSentence(wrong)).toBe('resolvers.0: Use office.')
})
