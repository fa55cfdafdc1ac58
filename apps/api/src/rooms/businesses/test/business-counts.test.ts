import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, type ListPage } from '../../../../test/prospects.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  await createProspect(operator, { name: 'Karoo' })
  const total = async (query = '') =>
    (await operator.get<ListPage<unknown>>(`/businesses${query}`)).body.page.total?.value
  return { t, operator, total }
}

test('a total includes every change of this process at once', async () => {
  const { operator, total } = await setUp()
  for (const query of ['', '?q=karoo', '?q=ka', '?state=new', '?updatedFrom=2026-01-01T00:00:00Z']) {
    const before = await total(query)
    expect(before).toBe(await total(query))
    await createProspect(operator, { name: 'Karoo' })
    expect([query, await total(query)]).toEqual([query, (before ?? 0) + 1])
  }
})

test('a total includes a change of another process within a second', async () => {
  const { t, total } = await setUp()
  expect(await total()).toBe(1)
  const other = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  other.exec(`UPDATE businesses SET status = 'inactive'`)
  other.close()
  t.clock.advance(1_000)
  await nextTurn()
  expect(await total()).toBe(0)
})
