import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-app.ts'
import { temporaryStore } from '../../test/temporary-store.ts'
import { prepared } from './engine/prepared.ts'
import { backgroundStore } from './store.ts'

const one = prepared<Record<string, never>>()(() => sql<{ one: number }>`SELECT 1 AS one`)

/** Uses the step of background work up, so that further work must wait for its turn. */
function useStep(store: ReturnType<typeof temporaryStore>): void {
  store.budget.turns.derived.begin()
  const until = performance.now() + 6
  while (performance.now() < until);
}

test('reads of background work wait for their turn, and those of requests do not', async () => {
  const store = temporaryStore()
  const background = backgroundStore(store)
  useStep(store)
  const reads = [sql`SELECT 1`.execute(background.reader), one(background.reader, {})]
  // The query builder reaches the connection after a few microtasks.
  for (let tick = 0; tick < 50; tick++) await undefined
  expect(store.budget.waiting()).toBe(2)
  await Promise.all([sql`SELECT 1`.execute(store.reader), one(store.reader, {})])
  expect(store.budget.waiting()).toBe(2)
  expect(await reads[1]).toEqual([{ one: 1 }])
  expect(await reads[0]).toMatchObject({ rows: [{ 1: 1 }] })
})

test('changes of background work wait for their turn, except those of job workers', async () => {
  const store = temporaryStore()
  const background = backgroundStore(store)
  useStep(store)
  const nothing = async () => ({ keep: false, value: undefined })
  const change = background.write('upkeep', nothing)
  expect([store.writes.waiting(), store.writes.waitingBehind()]).toEqual([0, 1])
  const claim = background.write('workers', nothing)
  expect([store.writes.waiting(), store.writes.waitingBehind()]).toEqual([1, 1])
  await Promise.all([change, claim])
})

test('after a request, background work rests for three times its step', async () => {
  const t = await buildTestApp()
  await t.app.inject('/api/v1/health/live')
  useStep(t.store)
  t.store.budget.turns.derived.mark()
  const began = performance.now()
  await backgroundStore(t.store).reader.selectFrom('tenants').select('id').execute()
  expect(performance.now() - began).toBeGreaterThan(15)
})
