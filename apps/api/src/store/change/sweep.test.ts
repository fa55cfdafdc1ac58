import { expect, test } from 'vitest'
import { actorIn, seedTenant, temporaryStore } from '../../../test/temporary-store.ts'
import { createTestClock } from '../../../test/test-clock.ts'
import type { Tx } from './change.ts'
import { type DueAt, sweep, sweepDerived } from './sweep.ts'

/** A store with numbers that are due, in memory, and a sweep that removes them. Every batch is noted. */
async function setUp(due: number[]) {
  const store = temporaryStore({ clock: createTestClock() })
  const tenantId = await seedTenant(store)
  const actor = actorIn(tenantId)
  const batches: (readonly number[])[] = []
  let writes = 0
  const { write } = store
  store.write = (...given) => {
    writes += 1
    return write(...given)
  }
  const context = { store, tenantId, limit: 2, isStopped: () => false }
  const select = async (_db: unknown, { limit }: DueAt) => due.slice(0, limit)
  const take = (rows: readonly number[]) => {
    batches.push(rows)
    due.splice(0, rows.length)
  }
  const record = (tx: Tx) => tx.record({ subject: { type: 'tenant', id: tenantId } })
  return { store, actor, context, due, batches, select, take, record, writes: () => writes }
}

test('a sweep opens no write transaction when nothing is due, and changes its limit of rows in each change', async () => {
  const { actor, context, due, batches, select, take, record, writes } = await setUp([])
  const run = () =>
    sweep<number>(context, {
      actor,
      action: 'test.use',
      due: select,
      apply: async (tx, rows) => {
        take(rows)
        await record(tx)
      },
    })
  expect([await run(), writes()]).toEqual([0, 0])
  due.push(1, 2, 3, 4, 5)
  expect([await run(), writes(), batches]).toEqual([5, 3, [[1, 2], [3, 4], [5]]])
  // After a full last batch, the sweep looks once more and opens no further transaction.
  due.push(6, 7)
  expect([await run(), writes()]).toEqual([2, 4])
})

test('a sweep selects its rows again inside the change, and changes none that another change took', async () => {
  const { actor, context, due, select, take, batches } = await setUp([1, 2])
  let looks = 0
  const taken = await sweep<number>(context, {
    actor,
    action: 'test.use',
    due: async (db, at) => {
      const found = await select(db, at)
      // Another process takes the rows between the look and the change.
      if (++looks === 1) due.splice(0)
      return found
    },
    apply: async (_tx, rows) => take(rows),
  })
  expect([taken, looks, batches]).toEqual([0, 2, []])
})

test('a sweep that is stopped ends between two batches', async () => {
  const { actor, context, select, take, record, due } = await setUp([1, 2, 3, 4, 5])
  let batches = 0
  await sweep<number>(
    { ...context, isStopped: () => batches === 1 },
    {
      actor,
      action: 'test.use',
      due: select,
      apply: async (tx, rows) => {
        batches += 1
        take(rows)
        await record(tx)
      },
    },
  )
  expect(due).toEqual([3, 4, 5])
})

test('a query that returns more rows than the limit is refused, and nothing is written', async () => {
  const { actor, context, store } = await setUp([])
  const commits = store.writes.commits()
  const sweeping = sweep<number>(context, {
    actor,
    action: 'test.use',
    due: async () => [1, 2, 3],
    apply: async () => {},
  })
  await expect(sweeping).rejects.toThrow('its limit is 2')
  expect(store.writes.commits()).toBe(commits)
})

test('a sweep of derived rows is bounded in the same way and records no event', async () => {
  const { context, store, select, take, batches, writes } = await setUp([1, 2, 3])
  const events = async () => (await store.reader.selectFrom('audit_events').select('id').execute()).length
  const before = await events()
  const run = () => sweepDerived<number>(context, { due: select, apply: async (_db, rows) => take(rows) })
  expect([await run(), await run(), writes(), batches]).toEqual([3, 0, 2, [[1, 2], [3]]])
  expect(await events()).toBe(before)
})
