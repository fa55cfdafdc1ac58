import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestApp, TestClient } from '../../../../test/build-app.ts'
import { forgetAll, karoo, matchWorld } from '../../../../test/match-world.ts'
import { askMerge } from '../../../../test/merging.ts'
import { createProspect, endProspect } from '../../../../test/prospects.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { change } from '../../../store/change/change.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Effect } from '../../jobs/jobs.thread.ts'
import type { Suggestion } from '../matching.schema.ts'
import { type RunContext, runMatching } from '../run/run-matching.ts'
import { createRunWriter, type Dealt, type RunWrite, type RunWriter } from '../run/run-writer.ts'
import { followChanges } from '../suggestions/matching-follower.ts'
import { selectRejectedBelow } from '../suggestions/rejected-below.ts'

/** Group sizes that are large enough for the pairs to be written in several transactions. */
const GROUPS = 5
const ALIKE = 21
const MANY = GROUPS * ALIKE
const PAIRS_OF_MANY = (MANY * (ALIKE - 1)) / 2

async function createMany(manager: TestClient): Promise<void> {
  for (let group = 0; group < GROUPS; group++) {
    const alike = { name: `${word(group)} Windpumps`, phones: [{ value: `041 555 ${1_000 + group}`, region: 'ZA' }] }
    for (let n = 0; n < ALIKE; n++) await createProspect(manager, alike)
  }
}

/** Returns an `effect` that writes as a run does, but without a job. */
function asSystem({ store, tenants }: TestApp): Effect {
  const actor = systemActor('matching', tenants.home.id)
  return async (_step, { action }, work) => (await change(store, actor, { permission: null, action }, work)).value
}

/** Runs a comparison with everything that a job has except its rows. The effects are written in this thread, where a test can inspect them. */
function runOnce(
  t: TestApp,
  given: Partial<RunContext> & { effect?: Effect; isWanted?: () => boolean; dealing?: Dealing } = {},
  mostHeapMb?: number,
) {
  const { store } = t
  const tenantId = t.tenants.home.id
  const { effect = asSystem(t), isWanted = () => false, dealing, ...context } = given
  const whole: RunContext = {
    store,
    tenantId,
    signal: new AbortController().signal,
    resume: null,
    progress: () => undefined,
    checkpoint: async () => undefined,
    ...context,
  }
  const openWriter = (startedAt: string): RunWriter => {
    const deal = createRunWriter({ store, tenantId, startedAt, isWanted })
    const written: RunWriter['deal'] = (messages) => deal(messages, effect)
    return {
      deal: dealing === undefined ? written : whenAllIsTold(written, dealing),
      close: async () => undefined,
    }
  }
  return runMatching(whole, { openWriter, ...(mostHeapMb !== undefined && { mostHeapMb }) })
}

type Dealing = (deal: RunWriter['deal'], told: readonly RunWrite[]) => Promise<Dealt>

/** Calls the test once all messages have arrived, because the order of messages from different threads is random. */
function whenAllIsTold(deal: RunWriter['deal'], dealing: Dealing): RunWriter['deal'] {
  const told: RunWrite[] = []
  return async (messages) => {
    told.push(...messages)
    return told.at(-1)?.type === 'done' ? dealing(deal, told) : {}
  }
}

const inStages: Dealing = async (deal, told) => {
  let dealt: Dealt = {}
  for (const stage of ['counted', 'keys', 'drafts', 'records', 'done'])
    dealt = await deal(told.filter(({ type }) => type === stage))
  return dealt
}

/** Returns a function that writes the messages up to the first one of this type, one at a time, and calls `look` after each. */
function upToFirst(last: RunWrite['type'], look: () => Promise<void> = async () => undefined): Dealing {
  return async (deal, told) => {
    let dealt: Dealt = {}
    for (const message of told.slice(0, told.findIndex(({ type }) => type === last) + 1)) {
      dealt = await deal([message])
      await look()
    }
    return dealt
  }
}

/** Cancels a run after its first pairs are written, and returns the position from which another attempt resumes. */
async function cancelOnce(t: TestApp): Promise<JsonObject | null> {
  const cancelling = new AbortController()
  let kept: JsonObject | null = null
  const cancelled = runOnce(t, {
    signal: cancelling.signal,
    dealing: upToFirst('drafts'),
    checkpoint: async (resume) => {
      kept = resume
      cancelling.abort(new Error('Cancelled.'))
    },
  })
  await expect(cancelled).rejects.toThrow('Cancelled.')
  return kept
}

test('a cancelled run stops, keeps its writes, and a later attempt resumes there', async () => {
  const { t, manager, open } = await matchWorld()
  await createMany(manager)
  const kept = await cancelOnce(t)
  const first = await open()
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(PAIRS_OF_MANY)
  const told: unknown[] = []
  const result = await runOnce(t, { resume: kept, progress: (now) => void told.push(now) })
  expect(told.at(-1)).toMatchObject({ done: MANY, total: MANY, unit: 'records' })
  expect(result).toMatchObject({ created: PAIRS_OF_MANY - first.length, updated: 0, superseded: 0, passedBy: 0 })
  const ids = (await open()).map(({ id }) => id)
  expect(ids).toHaveLength(PAIRS_OF_MANY)
  expect(first.every(({ id }) => ids.includes(id))).toBe(true)
})

test.for([
  ['all at once', false, 2],
  ['a little at a time where somebody else waits to write', true, 1 + Math.ceil(PAIRS_OF_MANY / 25)],
] as const)('what was found is written %s', async ([, isWanted, effects]) => {
  const { t, manager } = await matchWorld()
  await createMany(manager)
  const done: string[] = []
  const { created } = await runOnce(t, {
    isWanted: () => isWanted,
    dealing: inStages,
    effect: (step, ...written) => {
      done.push(step)
      return asSystem(t)(step, ...written)
    },
  })
  expect(created).toBe(PAIRS_OF_MANY)
  expect(new Set(done).size).toBe(effects)
})

test('following changes finds what a cancelled run did not reach', async () => {
  const { t, manager, open } = await matchWorld()
  await createMany(manager)
  await cancelOnce(t)
  expect(await followChanges(t.store)).toBe(MANY)
  expect(await open()).toHaveLength(PAIRS_OF_MANY)
})

test('nothing is written again about a record erased while a run compares it', async () => {
  const { t, manager } = await matchWorld()
  const administrator = await t.as('administrator')
  const { id } = await createProspect(manager, karoo)
  const others = [await createProspect(manager, karoo), await createProspect(manager, karoo)]
  let effects = 0
  const { created, passedBy } = await runOnce(t, {
    effect: async (...written) => {
      effects += 1
      // Erases before the second effect, which is later than the word counts. An erasure before the counts would restart the run.
      if (effects === 2) {
        expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
      }
      return asSystem(t)(...written)
    },
  })
  expect([created, passedBy]).toEqual([1, 2])
  const kept = await t.store.reader.selectFrom('match_suggestions').select(['business_a', 'business_b']).execute()
  expect(kept).toEqual([{ business_a: others[0]?.id, business_b: others[1]?.id }])
  for (const table of ['match_keys', 'match_records'] as const) {
    const rows = await t.store.reader.selectFrom(table).select('business_id').distinct().execute()
    expect(new Set(rows.map((row) => row.business_id)), table).toEqual(new Set(others.map((other) => other.id)))
  }
})

/** Number of merged records, large enough that a search along every path would not finish. */
const CHAIN = 16

test('nothing is written about records merged while a run compared them, and no writer waits for it', async () => {
  const { t, manager, open } = await matchWorld()
  const ids: string[] = []
  for (let n = 0; n < CHAIN; n++) ids.push((await createProspect(manager, karoo)).id)
  let effects = 0
  const { created, passedBy } = await runOnce(t, {
    dealing: inStages,
    effect: async (...written) => {
      effects += 1
      if (effects === 2)
        for (const [at, into] of ids.slice(1).entries()) await endProspect(t, ids[at] ?? '', { status: 'merged', into })
      return asSystem(t)(...written)
    },
  })
  expect([created, passedBy]).toEqual([0, (CHAIN * (CHAIN - 1)) / 2])
  expect(await open()).toEqual([])
  // The lookup of rejections for these pairs finds none either, and must end in time.
  const pairs = ids.slice(1).map((b) => ({ a: ids[0] ?? '', b }))
  expect(await selectRejectedBelow(t.store.reader, t.tenants.home.id, pairs)).toEqual(new Map())
})

test.for([
  ['merged', 'before its keys are written', 1],
  ['merged', 'between its keys and itself', 2],
  ['erased', 'between its keys and itself', 2],
  ['edited', 'between its keys and itself', 2],
] as const)('of a record that is %s while a run goes on, %s, no key of what was read stays', async ([how, , at]) => {
  const { t, manager, open } = await matchWorld()
  const { store } = t
  const administrator = await t.as('administrator')
  const survivor = await createProspect(manager, karoo)
  const { id, version } = await createProspect(manager, karoo)
  await followChanges(store)
  const [suggestion] = await open()
  const { body: pair } = await manager.get<Suggestion>(`/match-suggestions/${suggestion?.id}`)
  await forgetAll(t)
  const ends = {
    merged: () => askMerge(manager, pair, survivor.id),
    erased: () => administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' }),
    edited: () => manager.patch(`/businesses/${id}`, { name: 'Botha Attorneys' }, { 'if-match': `"${version}"` }),
  }
  const keysOfIt = async () =>
    (await store.reader.selectFrom('match_keys').select('key').where('business_id', '=', id).execute()).length
  let effects = 0
  await runOnce(t, {
    dealing: inStages,
    effect: async (...written) => {
      effects += 1
      if (effects === at) {
        expect(await keysOfIt()).toBe(at - 1)
        expect((await ends[how]()).status).toBe(200)
        await followChanges(store)
      }
      return asSystem(t)(...written)
    },
  })
  await followChanges(store)
  const kept = await store.reader.selectFrom('match_records').selectAll().where('business_id', '=', id).execute()
  expect([kept.length, await keysOfIt()]).toEqual(how === 'edited' ? [1, 1] : [0, 0])
})

/** Number of records, larger than the batch of one write, both before and after a pair. */
const SINGLES = 550

/** Inserts records directly, so that no audit event announces them. */
async function addSingles({ store }: TestApp, like: string, from: number): Promise<void> {
  const row = await store.reader.selectFrom('businesses').selectAll().where('id', '=', like).executeTakeFirstOrThrow()
  await store.write('upkeep', async (db) => {
    for (let n = from; n < from + SINGLES; n++) {
      const name = word(n)
      await db
        .insertInto('businesses')
        .values({ ...row, docid: undefined, id: newId(), name, name_key: name.toLowerCase() })
        .execute()
    }
    return { keep: true, value: undefined }
  })
}

/** Returns a word for a number, different for each. */
function word(n: number): string {
  return sha256(String(n))
    .slice(0, 10)
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
}

test('a record is stored as compared only after its keys and all its drafts, and following finds what a run did not write', async () => {
  const { t, manager, open } = await matchWorld()
  const { store } = t
  const { id } = await createProspect(manager, { name: 'Protea' })
  await createMany(manager)
  await addSingles(t, id, GROUPS)
  for (let n = 0; n < 2; n++) await createProspect(manager, { ...karoo, name: `${word(GROUPS + SINGLES)} Windpumps` })
  await addSingles(t, id, GROUPS + SINGLES + 1)

  const withoutKey = sql`
    SELECT 1 FROM match_records AS kept WHERE NOT EXISTS (
      SELECT 1 FROM match_keys WHERE tenant_id = kept.tenant_id AND key = kept.name_key AND business_id = kept.business_id)`
  const withoutPair = sql`
    SELECT 1 FROM match_records AS kept
    JOIN businesses AS own ON own.tenant_id = kept.tenant_id AND own.id = kept.business_id
    JOIN businesses AS other ON other.tenant_id = own.tenant_id AND other.name = own.name AND other.id <> own.id
    WHERE NOT EXISTS (
      SELECT 1 FROM match_suggestions
      WHERE tenant_id = own.tenant_id AND business_a = min(own.id, other.id) AND business_b = max(own.id, other.id))`
  await runOnce(t, {
    dealing: upToFirst('records', async () => {
      for (const lacking of [withoutKey, withoutPair]) expect((await lacking.execute(store.reader)).rows).toEqual([])
    }),
  })
  expect(await store.reader.selectFrom('match_records').select('business_id').execute()).not.toHaveLength(0)
  await followChanges(store)
  expect(await open()).toHaveLength(PAIRS_OF_MANY + 1)
})

test('a run beyond the heap limit of its thread fails with a message and is not retried', async () => {
  const { t, manager, open } = await matchWorld()
  for (let n = 0; n < 2; n++) await createProspect(manager, karoo)
  await expect(runOnce(t, {}, 4)).rejects.toMatchObject({ code: 'too_large' })
  expect(await open()).toEqual([])
})
