import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { seededNumbers } from '../../src/lib/seeded-numbers.ts'
import { verifyTenant } from '../../src/rooms/audit/audit.ts'
import { memberActor } from '../../src/rooms/identity/identity.ts'
import type { Job } from '../../src/rooms/jobs/jobs.schema.ts'
import { jobKindsOf } from '../../src/rooms/jobs/jobs.ts'
import { matchRun } from '../../src/rooms/matching/matching.jobs.ts'
import { endLostAttempts } from '../../src/rooms/matching/merging/merge-attempts.ts'
import { mergeBusinesses } from '../../src/rooms/matching/merging/merge-businesses.ts'
import { snapshotHash, takeSnapshot } from '../../src/rooms/matching/merging/merge-snapshot.ts'
import { selectAttempts } from '../../src/rooms/matching/merging/merges.queries.ts'
import { reverseMerge } from '../../src/rooms/matching/merging/reverse-merge.ts'
import { migrations } from '../../src/rooms/migrations.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { buildTestApp } from '../build-app.ts'
import { untilJob, work } from '../job-world.ts'
import { askMerge, merged, suggestedPair, suggestionOfPair } from '../merging.ts'
import { addEvidenceTo, addNoteTo, createProspect } from '../prospects.ts'
import { copyOf, run } from './dying-process.ts'
import type { MergeTask } from './merge-task.ts'

/*
 * Tests processes that kill themselves (SIGKILL) before a statement: before and after each commit, and at seeded points between commits. Afterwards
 * the store is opened again and must be consistent, and the same request with the same key must succeed.
 */

/** Seed of the kill points, so that they are the same in every run. */
const SEED = 20_261_121

const random = seededNumbers(SEED)

const between = (low: number, high: number) => low + Math.floor(random() * (high - low))

/**
 * Returns the points before and after every commit, and `seeded` further points inside the last change. At the last point only the response is
 * missing.
 */
function placesToDie(ran: readonly string[], seeded: number): number[] {
  const commits = ran.flatMap((source, at) => (source === 'COMMIT' ? [at] : []))
  const begin = ran.lastIndexOf('BEGIN IMMEDIATE')
  const inside = Array.from({ length: seeded }, () => between(begin + 1, commits.at(-1) ?? ran.length))
  return [...commits.flatMap((at) => [at, at + 1]), ...inside].sort((a, b) => a - b)
}

function open(dataDir: string): Store {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  onTestFinished(() => store.close())
  return store
}

async function actorOf(store: Store, { tenantId, userId }: MergeTask) {
  const actor = await memberActor(store.reader, { tenantId, userId }, newId())
  if (actor === undefined) throw new Error('The manager is a member.')
  return actor
}

async function isWhole(store: Store, tenantId: string): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(store.reader)
  expect(rows).toEqual([{ integrity_check: 'ok' }])
  expect((await sql`PRAGMA foreign_key_check`.execute(store.reader)).rows).toEqual([])
  // The chain may be intact or unproven, because none of the processes signs checkpoints.
  expect(await verifyTenant(store, tenantId)).toMatchObject({ firstBroken: null, nextAfter: null })
}

async function setUp() {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [
    { industry: 'Farming', phones: [{ value: '+27 41 555 0101' }] },
    { industry: 'Irrigation', tags: ['Wind'], phones: [{ value: '+27 41 555 0102' }] },
  ])
  for (const id of [a, b]) await addNoteTo(manager, id)
  await addEvidenceTo(manager, b, { field: 'industry', value: 'Irrigation' })
  const who = { tenantId: t.tenants.home.id, userId: t.tenants.home.users.manager.id }
  const idempotency = { key: 'the-same-key', fingerprint: 'the-same-request' }
  const stateOf = async (store: Store) => snapshotHash(await takeSnapshot(store.reader, who.tenantId, a, b))
  return { t, manager, a, b, who, idempotency, stateOf }
}

test('a process killed anywhere in a merge leaves both records unchanged or completely merged, and the same key completes it', async () => {
  const { t, manager, a, b, who, idempotency, stateOf } = await setUp()
  const { id: suggestionId, fingerprint } = await suggestionOfPair(manager, a, b)
  const body = { survivorId: a, fingerprint, reason: 'One shop.', fields: { industry: b } }
  const task = { do: 'merge' as const, ...who, suggestionId, body, idempotency }
  const before = await stateOf(t.store)
  const places = placesToDie(await run({ ...task, dataDir: await copyOf(t) }), 2)
  expect(places.length).toBe(6)
  const outcomes = await Promise.all(
    places.map(async (place) => {
      const dataDir = await copyOf(t)
      await run({ ...task, dataDir }, place)
      const store = open(dataDir)
      await isWhole(store, who.tenantId)
      const [merge, ...more] = await store.reader.selectFrom('merges').select(['id', 'read_back']).execute()
      expect(more).toEqual([])
      if (merge === undefined) expect(await stateOf(store)).toBe(before)
      await endLostAttempts(store, who.tenantId, 0)
      const [attempt] = await selectAttempts(store.reader, who.tenantId, { before: undefined, limit: 10 })
      const result = await mergeBusinesses(
        store,
        await actorOf(store, { ...task, dataDir }),
        suggestionId,
        body,
        idempotency,
      )
      const kept = await store.reader.selectFrom('merges').select(['id', 'loser_id', 'status']).execute()
      expect(kept).toEqual([{ id: result.value.id, loser_id: b, status: 'merged' }])
      await isWhole(store, who.tenantId)
      return [
        merge !== undefined,
        attempt?.status ?? 'none',
        attempt?.failure?.includes('ended before') ?? false,
        result.replayed,
      ]
    }),
  )
  const cutOff = [false, 'stopped', true, false]
  expect(outcomes).toEqual([[false, 'none', false, false], cutOff, cutOff, cutOff, cutOff, [true, 'done', false, true]])
})

test('a process killed anywhere in a reversal leaves the merge active or completely reversed, and the same key completes it', async () => {
  const { t, manager, a, b, who, idempotency, stateOf } = await setUp()
  const { id: mergeId } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  await addNoteTo(manager, a)
  const task = { do: 'reverse' as const, ...who, mergeId, reason: 'Two shops.', idempotency }
  const before = await stateOf(t.store)
  const places = placesToDie(await run({ ...task, dataDir: await copyOf(t) }), 1)
  const outcomes = await Promise.all(
    places.slice(1).map(async (place) => {
      const dataDir = await copyOf(t)
      await run({ ...task, dataDir }, place)
      const store = open(dataDir)
      await isWhole(store, who.tenantId)
      const row = () => store.reader.selectFrom('merges').select('status').executeTakeFirstOrThrow()
      const { status } = await row()
      if (status === 'merged') expect(await stateOf(store)).toBe(before)
      await endLostAttempts(store, who.tenantId, 0)
      const [attempt] = await selectAttempts(store.reader, who.tenantId, { before: undefined, limit: 10 })
      const result = await reverseMerge(
        store,
        await actorOf(store, { ...task, dataDir }),
        mergeId,
        task.reason,
        idempotency,
      )
      expect(await row()).toEqual({ status: 'reversed' })
      await isWhole(store, who.tenantId)
      return [status, attempt?.kind, attempt?.status, result.replayed]
    }),
  )
  const cutOff = ['merged', 'reversal', 'stopped', false]
  expect(outcomes).toEqual([cutOff, cutOff, cutOff, ['reversed', 'reversal', 'done', true]])
})

test('a run whose process is killed twice resumes and stores the same as an undisturbed one', async () => {
  const t = await buildTestApp({ kinds: jobKindsOf([matchRun]) })
  const manager = await t.as('manager')
  const names = ['Karoo Windpumps', 'Protea Bakery', 'Botha Attorneys', 'Umlazi Panelbeaters']
  // 136 records form 2,244 pairs, which is more than one change contains. The first process is killed after at least one change. The second one
  // resumes there and is killed in the remaining changes.
  for (let n = 0; n < 136; n++) {
    const phones = [{ value: `+27 41 555 0${100 + (n % names.length)}` }]
    await createProspect(manager, { name: names[n % names.length], phones })
  }
  const { body: job } = await manager.post<Job>('/match-runs', {}, { 'idempotency-key': 'run' })
  const who = { tenantId: t.tenants.home.id, userId: t.tenants.home.users.manager.id }
  const pairs = (of: Store) =>
    of.reader
      .selectFrom('match_suggestions')
      .select(['business_a', 'business_b', 'status', 'score', 'evidence', 'canonical', 'facts'])
      .orderBy('business_a')
      .orderBy('business_b')
      .execute()
  const undisturbed = await copyOf(t)
  const ran = await run({ do: 'work', kind: 'match-run', ...who, dataDir: undisturbed })
  const dataDir = await copyOf(t)
  const first = ran.findIndex((source) => source.includes('insert into "match_suggestions"'))
  await run({ do: 'work', kind: 'match-run', ...who, dataDir }, first + between(2_010, 2_100))
  await run({ do: 'work', kind: 'match-run', ...who, dataDir }, first + between(20, 120))
  const store = open(dataDir)
  await isWhole(store, who.tenantId)
  expect((await pairs(store)).length).toBeGreaterThan(0)
  work({ store, kinds: jobKindsOf([matchRun]) })
  expect(await untilJob(store, job.id, ({ ended_at }) => ended_at !== null)).toMatchObject({ status: 'succeeded' })
  await isWhole(store, who.tenantId)
  const found = await pairs(store)
  expect(found.length).toBeGreaterThan(2_200)
  expect(found).toEqual(await pairs(open(undisturbed)))
})
