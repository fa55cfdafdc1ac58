import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../../test/temporary-store.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { createBusiness } from '../record/create-business.ts'

/** Number of pending texts at which the index is written. */
const TEXTS = 64
/** Maximum number of pages that a commit merges; the last segment ends with a page that is not full. */
const PAGES = 128 + 8

async function pagesOf(store: Store): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM business_search_index_data`.execute(await writerOf(store))
  return new Set(rows.map(({ id }) => id))
}

async function partsOf(store: Store): Promise<number> {
  const { rows } = await sql`SELECT DISTINCT segid FROM business_search_index_idx`.execute(await writerOf(store))
  return rows.length
}

test('the index is merged as it is written, in no commit more than its limit of pages', async () => {
  const store = temporaryStore()
  const actor = actorIn(await seedTenant(store), 'businesses.write')
  const unlike = (number: number) => createHash('sha512').update(String(number)).digest('base64')
  const create = (number: number) =>
    change(store, actor, { permission: null, action: 'business.create' }, (tx) =>
      createBusiness(tx, { name: unlike(number), tradingName: unlike(-number - 1) }),
    )
  const written: number[] = []
  let before = await pagesOf(store)
  for (let round = 0; round < 22; round++) {
    await Promise.all(Array.from({ length: TEXTS }, (_, at) => create(round * TEXTS + at)))
    const now = await pagesOf(store)
    written.push(now.difference(before).size)
    before = now
  }
  const [alone = 0] = written
  expect(Math.max(...written)).toBeLessThanOrEqual(alone + PAGES)
  expect(await partsOf(store)).toBeLessThan(16)
})
