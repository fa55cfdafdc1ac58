import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { findByText, textScopeOf } from '../search/find-by-text.sqlite.ts'
import { searchTerms } from '../search/search-text.rules.ts'

test('a tenant with most records finds its own records by several words, as other tenants do: indexed and pending', async () => {
  const t = await buildTestApp()
  const [most, few] = [await t.as('operator'), await t.as('operator', 'other')]
  const create = (client: TestClient, many: number) =>
    Promise.all(Array.from({ length: many }, () => createProspect(client, { name: 'Karoo Windpumps' })))
  await create(most, 40)
  await create(few, 30)
  // The index is written as soon as 64 texts are pending. After these calls most texts are in the index, and a few are pending.
  await create(most, 5)
  await create(few, 2)

  const terms = searchTerms('windpumps karoo')
  const findFor = async (tenantId: string) => {
    const scope = await textScopeOf(t.store.reader, tenantId, terms)
    const { rows } = await sql<{ docid: number }>`SELECT docid FROM ${findByText(scope, terms)}`.execute(t.store.reader)
    const own = await t.store.reader
      .selectFrom('businesses')
      .select('docid')
      .where('tenant_id', '=', tenantId)
      .orderBy('docid')
      .execute()
    return {
      scope,
      found: rows.map(({ docid }) => docid).toSorted((a, b) => a - b),
      own: own.map(({ docid }) => docid),
    }
  }
  const [home, other] = [await findFor(t.tenants.home.id), await findFor(t.tenants.other.id)]
  expect([home.own.length, other.own.length]).toEqual([45, 32])
  expect(home.found).toEqual(home.own)
  expect(other.found).toEqual(other.own)
  expect([home.scope.holdsMost, other.scope.holdsMost]).toEqual([true, false])
  // A search for one word reads no text, however many records contain the word.
  expect((await textScopeOf(t.store.reader, t.tenants.home.id, searchTerms('windpumps'))).holdsMost).toBe(false)
})
