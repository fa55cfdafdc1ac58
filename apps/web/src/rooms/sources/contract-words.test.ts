import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SourceContract } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sourceOf } from '../../../test/source.ts'
import { dnsAdapter } from '../../../test/source-adapters.ts'
import { type Context, contractChanges, emptyLists, itemWords } from './contract-words.ts'
import { itemName } from './source-words.ts'

const context: Context = { adapter: dnsAdapter, nameOf: (id) => (id === 'user-2' ? 'Ben Dube' : undefined) }
const { contract } = sourceOf()
const words = (item: keyof SourceContract, changes: SourceContract = {}, of = context) =>
  itemWords(item, { ...contract, ...changes }, of)

test('a contract has the units of its form, and the name of the terms owner', () => {
  expect(words('terms')).toBe('Agreement 2026/11; owner Ben Dube; review due on 01 Jun 2027')
  expect(words('rate')).toMatch(/^30 requests per minute, 1\s000 per day$/)
  expect(words('timeoutMs')).toBe('10 seconds per request')
  expect(words('maxBytes')).toBe('0,262144 MB per response')
  expect(words('health')).toBe('degraded from 10 % failures or 2 seconds')
  expect(words('rawRetention')).toBe('180 days')
  expect(words('purposes')).toBe('DNS records')
  expect(words('concurrency', { concurrency: 1 })).toBe('1 request at a time')
})

test('an item that is missing has no words', () => {
  expect(itemWords('rate', {}, context)).toBeUndefined()
})

test('an empty list says what it means', () => {
  expect(words('scope')).toBe('fields status, records, ttl, aliases; all provinces; at most 2 records per query')
  expect(words('scope', { scope: { fields: ['name'], provinces: ['GP'], maxRecords: 1 } })).toBe(
    'field name; Gauteng; at most 1 record per query',
  )
  expect(words('settings')).toBe('Resolvers: office; Forbidden domains: none')
})

test('an empty list of a setting means none, unless the adapter declares another meaning', () => {
  const settings = { resolvers: ['office'], forbiddenNames: [], areas: [] }
  const unloaded = { ...context, adapter: undefined }
  expect(words('settings', { settings }, unloaded)).toBe('resolvers: office; forbiddenNames: none; areas: none')
  const areas = { name: 'areas', label: 'Areas', kind: 'list', options: null, empty: 'all' } as const
  const adapter = { ...dnsAdapter, settings: [...dnsAdapter.settings, areas] }
  expect(words('settings', { settings }, { ...context, adapter })).toContain('Areas: all')
})

test('every list of a contract that may be empty says what an empty one means, as the schema of the API does', () => {
  const schema = z.looseObject({
    components: z.looseObject({ schemas: z.looseObject({ SourceContract: z.unknown() }) }),
  })
  const file = resolve(import.meta.dirname, '../../../../api/src/http/openapi.json')
  const document = schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const lists = emptyListsIn(document.components.schemas.SourceContract, '')
  expect(Object.keys(lists).toSorted()).toEqual(Object.keys(emptyLists).map((name) => `scope.${name}`))
  for (const [path, description] of Object.entries(lists)) {
    const meaning = /^Empty: (all|none)$/.exec(description)?.[1]
    expect(meaning, path).toBeDefined()
    expect(emptyLists[path.replace('scope.', '') as keyof typeof emptyLists].split(' ')[0]).toBe(meaning)
  }
})

/** Paths and descriptions of the lists in a JSON schema that may be empty. */
function emptyListsIn(schema: unknown, path: string): Record<string, string> {
  const { type, minItems, description, properties } = z
    .looseObject({
      type: z.string().optional(),
      minItems: z.number().optional(),
      description: z.string().optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
    })
    .parse(schema)
  if (type === 'array') return (minItems ?? 0) > 0 ? {} : { [path]: description ?? '' }
  const inside = Object.entries(properties ?? {}).map(([name, one]) =>
    emptyListsIn(one, path === '' ? name : `${path}.${name}`),
  )
  return Object.assign({}, ...inside)
}

test('versions are compared item by item', () => {
  expect(
    contractChanges(
      { concurrency: 2, purposes: ['dns'] },
      { concurrency: 3, purposes: ['dns'], timeoutMs: 5_000 },
      itemName,
      context,
    ),
  ).toEqual(['concurrency: 2 requests at a time → 3 requests at a time', 'time limit: missing → 5 seconds per request'])
})
