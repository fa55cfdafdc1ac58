import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import type { Problem } from '../../../../test/prospects.ts'
import { NORMALIZATION_VERSION, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import type { NormalizedDomain } from '../names/names.schema.ts'

test('values are divided in their order with the versions of rules and list, and nothing is written', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  const values = ['https://shop.Karoo.co.za/x', 'karoo.github.io', '', 'x'.repeat(10_000), 'a\u0000b.co.za', '127.1']
  const changes = await t.changes(async () => {
    const { status, body } = await viewer.post<{ items: NormalizedDomain[] }>('/domain-normalizations', { values })
    expect(status).toBe(200)
    expect(body.items.map(({ raw, registrable, reason }) => [raw, registrable, reason])).toEqual([
      [values[0], 'karoo.co.za', null],
      [values[1], 'github.io', 'private_suffix'],
      [values[2], null, 'malformed'],
      [values[3], null, 'malformed'],
      [values[4], null, 'malformed'],
      [values[5], null, 'ip_literal'],
    ])
    for (const item of body.items)
      expect(item).toMatchObject({
        normalizationVersion: NORMALIZATION_VERSION,
        suffixListVersion: SUFFIX_LIST_VERSION,
      })
  })
  expect(changes).toEqual({})
})

test('a thousand values are read, and one more is refused', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  const values = Array.from({ length: 1_000 }, (_, number) => `karoo${number}.co.za`)
  const { body } = await viewer.post<{ items: NormalizedDomain[] }>('/domain-normalizations', { values })
  expect(body.items).toHaveLength(1_000)
  const refused = await viewer.post<Problem>('/domain-normalizations', { values: [...values, 'one.co.za'] })
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, 'values'])
})
