import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestApp, TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { askMerge } from '../../../../test/merging.ts'
import { createProspect, walk } from '../../../../test/prospects.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { change } from '../../../store/change.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Effect } from '../../jobs/jobs.thread.ts'
import { matchRun } from '../matching.jobs.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'
import { followChanges } from '../suggestions/follow-changes.ts'
import { type RunContext, runMatching } from './run-matching.ts'
import { createRunWriter, type Dealt, type RunWrite, type RunWriter } from './run-writer.ts'

/** More records that say the same than are all compared with each other. */
const LARGE_BLOCK = 60

const karoo = { name: 'Karoo Windpumps', phones: [{ value: '041 555 0101', region: 'ZA' }] }

async function setUp() {
  const world = await jobWorld([matchRun])
  world.work()
  const manager = await world.t.as('manager')
  const run = async () => world.ended((await world.create({}, manager)).id)
  const open = () => walk<SuggestionSummary>(manager, '/match-suggestions')
  return { ...world, manager, run, open }
}

/** As after rules that are new: nothing is kept of anybody. */
async function forgetAll({ store }: TestApp): Promise<void> {
  await store.writes.write(async () => {
    for (const table of ['match_keys', 'match_records'] as const) await store.writer.deleteFrom(table).execute()
    return { keep: true, value: undefined }
  })
}

/** Those that are kept, and those that are there. */
async function counted({ store }: TestApp) {
  const kept = await store.reader
    .selectFrom('match_suggestion_counts')
    .select(['tenant_id', 'status', 'band', 'count'])
    .where('count', '>', 0)
    .orderBy('status')
    .orderBy('band')
    .execute()
  const { rows } = await sql`
    SELECT tenant_id, status, iif(score >= 0.9, 'strong', 'review') AS band, count(*) AS count FROM match_suggestions
    GROUP BY 1, 2, 3 ORDER BY status, band`.execute(store.reader)
  return { kept, there: rows }
}

test('a run over the whole tenant finds what the checks at creation find, and then has nothing to do', async () => {
  const { t, manager, run, open } = await setUp()
  for (const name of ['Karoo Windpumps', 'Karoo Windpmups CC', 'Protea Bakery'])
    await createProspect(manager, { ...karoo, name })
  const job = await run()
  expect(job.status).toBe('succeeded')
  expect(JSON.parse(job.result_json ?? '{}')).toMatchObject({ records: 3, created: 1, pairsLeftOut: 0 })
  const found = await open()
  expect(found).toHaveLength(1)
  expect(await followChanges(t.store)).toBe(0)
  expect(JSON.parse((await run()).result_json ?? '{}')).toMatchObject({
    created: 0,
    updated: 0,
    superseded: 0,
    passedBy: 1,
  })
  expect(await open()).toEqual(found)
})

test('a run keeps of each record what a check of it keeps', async () => {
  const { t, manager, run } = await setUp()
  const { store } = t
  await createProspect(manager, { ...karoo, address: { street: '12 Main Road', city: 'Gqeberha' } })
  await createProspect(manager, { name: 'Botha Attorneys', phones: [{ value: '555 0101' }] })
  await createProspect(manager, { name: 'Protea' })
  await followChanges(store)
  const kept = async () => [
    await store.reader.selectFrom('match_records').selectAll().orderBy('business_id').execute(),
    await store.reader.selectFrom('match_keys').selectAll().orderBy('key').execute(),
  ]
  const checked = await kept()
  for (const column of ['building_key', 'number_key', 'digits_key'] as const)
    expect(new Set(checked[0]?.map((row) => 'facts' in row && row[column] === null)).size, column).toBe(2)
  await forgetAll(t)
  expect((await run()).status).toBe('succeeded')
  expect(await kept()).toEqual(checked)
})

test('a run ends suggestions that no longer hold and leaves what a person rejected', async () => {
  const { t, manager, run, open } = await setUp()
  await createProspect(manager, karoo)
  const b = await createProspect(manager, karoo)
  const c = await createProspect(manager, { ...karoo, name: 'Karoo Windpmups' })
  await run()
  const all = await open()
  expect(all).toHaveLength(3)
  const rejected = all.find(({ businesses }) => businesses.every(({ id }) => id !== c.id))
  await manager.post(`/match-suggestions/${rejected?.id}/rejection`, { reason: 'Two shops.' })
  await t.store.writes.write(async () => {
    await t.store.writer.updateTable('businesses').set({ name: 'Botha Attorneys' }).where('id', '=', c.id).execute()
    return { keep: true, value: undefined }
  })
  t.clock.advance(1_000)
  await run()
  expect(await open()).toEqual([])
  const { body } = await manager.get<Suggestion>(`/match-suggestions/${rejected?.id}`)
  expect([body.status, body.businesses.some(({ id }) => id === b.id)]).toEqual(['rejected', true])
})

test('a run leaves open what holds, also where it compares other pairs of a large block than the checks did', async () => {
  const { manager, run, open, t } = await setUp()
  for (let n = 0; n < LARGE_BLOCK; n++) await createProspect(manager, karoo)
  await followChanges(t.store)
  const checked = (await open()).map(({ id }) => id)
  const { superseded, pairsLeftOut } = JSON.parse((await run()).result_json ?? '{}')
  expect(pairsLeftOut).toBeGreaterThan(0)
  expect(superseded).toBe(0)
  const ids = new Set((await open()).map(({ id }) => id))
  expect(checked.filter((id) => !ids.has(id))).toEqual([])
})

test('the counts of suggestions are those of the rows, in both bands, whatever became of them', async () => {
  const { t, manager, run, open } = await setUp()
  for (let n = 0; n < 2; n++) await createProspect(manager, karoo)
  const named = await createProspect(manager, { name: karoo.name })
  await run()
  const bands = (await open()).map(({ band }) => band)
  expect(bands.sort()).toEqual(['review', 'review', 'strong'])
  const found = await counted(t)
  expect(found.kept).toEqual(found.there)
  const [strong] = await open()
  await manager.post(`/match-suggestions/${strong?.id}/rejection`, { reason: 'Two shops.' })
  await t.store.writes.write(async () => {
    await t.store.writer.updateTable('businesses').set({ name: 'Botha Attorneys' }).where('id', '=', named.id).execute()
    return { keep: true, value: undefined }
  })
  t.clock.advance(1_000)
  await run()
  const ended = await counted(t)
  expect(ended.kept).toEqual(ended.there)
  expect(new Set(ended.kept.map(({ status }) => status))).toEqual(new Set(['rejected', 'superseded']))
})

/** So many that their pairs are written in several turns. */
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

/** A run of its own, with everything of a job but its rows, whose effects a test may look at: they are written in this thread. */
function runOnce(
  t: TestApp,
  given: Partial<RunContext> & { effect?: Effect; isWanted?: () => boolean; dealing?: Dealing } = {},
  mostHeapMb?: number,
) {
  const { store } = t
  const tenantId = t.tenants.home.id
  const actor = systemActor('matching', tenantId)
  const asSystem: Effect = async (_step, { action }, work) =>
    (await change(store, actor, { permission: null, action }, work)).value
  const { effect = asSystem, isWanted = () => false, dealing, ...context } = given
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

/** Which thread tells first is chance: a test says what is done with all that they told, when the last of it has come. */
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

/** What was told up to the first of a type is written, a message at a time; `look` after each. */
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

/** Cancels a run when it has written the first pairs, and answers where it was. */
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

test('a run that is cancelled stops where it is, keeps what it has written, and a later attempt goes on from there', async () => {
  const { t, manager, open } = await setUp()
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
  ['a little at a time where somebody else waits to write', true, 1 + Math.ceil(PAIRS_OF_MANY / 200)],
] as const)('what was found is written %s', async ([, isWanted, effects]) => {
  const { t, manager } = await setUp()
  await createMany(manager)
  const done: string[] = []
  const { created } = await runOnce(t, {
    isWanted: () => isWanted,
    dealing: inStages,
    effect: async (step, { action }, work) => {
      done.push(step)
      const actor = systemActor('matching', t.tenants.home.id)
      return (await change(t.store, actor, { permission: null, action }, work)).value
    },
  })
  expect(created).toBe(PAIRS_OF_MANY)
  expect(new Set(done).size).toBe(effects)
})

test('what a run that was cancelled did not come to is found by following changes', async () => {
  const { t, manager, open } = await setUp()
  await createMany(manager)
  await cancelOnce(t)
  expect(await followChanges(t.store)).toBe(MANY)
  expect(await open()).toHaveLength(PAIRS_OF_MANY)
})

test('of a record that is erased while a run compares it, nothing is written down again', async () => {
  const { t, manager } = await setUp()
  const administrator = await t.as('administrator')
  const { id } = await createProspect(manager, karoo)
  const others = [await createProspect(manager, karoo), await createProspect(manager, karoo)]
  let effects = 0
  const { created, passedBy } = await runOnce(t, {
    effect: async (_step, { action }, work) => {
      effects += 1
      // Before the words are counted it would begin anew.
      if (effects === 2) {
        expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' })).status).toBe(200)
      }
      const actor = systemActor('matching', t.tenants.home.id)
      return (await change(t.store, actor, { permission: null, action }, work)).value
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

test.for([
  ['merged', 'before its keys are written', 1],
  ['merged', 'between its keys and itself', 2],
  ['erased', 'between its keys and itself', 2],
  ['edited', 'between its keys and itself', 2],
] as const)('of a record that is %s while a run goes on, %s, no key of what was read stays', async ([how, , at]) => {
  const { t, manager, open } = await setUp()
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
    effect: async (_step, { action }, work) => {
      effects += 1
      if (effects === at) {
        expect(await keysOfIt()).toBe(at - 1)
        expect((await ends[how]()).status).toBe(200)
        await followChanges(store)
      }
      const actor = systemActor('matching', t.tenants.home.id)
      return (await change(store, actor, { permission: null, action }, work)).value
    },
  })
  await followChanges(store)
  const kept = await store.reader.selectFrom('match_records').selectAll().where('business_id', '=', id).execute()
  expect([kept.length, await keysOfIt()]).toEqual(how === 'edited' ? [1, 1] : [0, 0])
})

/** Records of one write and more, before and behind a pair. */
const SINGLES = 550

/** Records that came by another way than a request: no change tells of them. */
async function addSingles({ store }: TestApp, like: string, from: number): Promise<void> {
  const row = await store.reader.selectFrom('businesses').selectAll().where('id', '=', like).executeTakeFirstOrThrow()
  await store.writes.write(async () => {
    for (let n = from; n < from + SINGLES; n++) {
      const name = word(n)
      await store.writer
        .insertInto('businesses')
        .values({ ...row, docid: undefined, id: newId(), name, name_key: name.toLowerCase() })
        .execute()
    }
    return { keep: true, value: undefined }
  })
}

/** A word for each number, like no other. */
function word(n: number): string {
  return sha256(String(n))
    .slice(0, 10)
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
}

test('a record is kept as compared only behind its keys and all that was found of it, and what a run did not write is found by following', async () => {
  const { t, manager, open } = await setUp()
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

test('a run that does not fit into what its thread may hold says so, and is not tried again', async () => {
  const { t, manager, open } = await setUp()
  for (let n = 0; n < 2; n++) await createProspect(manager, karoo)
  await expect(runOnce(t, {}, 4)).rejects.toMatchObject({ code: 'too_large' })
  expect(await open()).toEqual([])
})

test('a new version of the algorithm judges what is open anew under its id, and leaves what was decided', async () => {
  const { t, manager, run, open } = await setUp()
  for (let n = 0; n < 3; n++) await createProspect(manager, karoo)
  await run()
  await t.store.writes.write(async () => {
    const { writer } = t.store
    await writer.updateTable('match_suggestions').set({ algorithm_version: 'additive-0', score: 0.8 }).execute()
    return { keep: true, value: undefined }
  })
  const [rejected, merging, third] = await open()
  await manager.post(`/match-suggestions/${rejected?.id}/rejection`, { reason: 'Two shops.' })
  t.clock.advance(1_000)
  const result = JSON.parse((await run()).result_json ?? '{}')
  expect(result).toMatchObject({ created: 0, updated: 2, passedBy: 1, superseded: 0 })
  const now = await open()
  expect(now.map(({ id }) => id).toSorted()).toEqual([merging?.id, third?.id].toSorted())
  for (const { algorithmVersion, score } of now) expect([algorithmVersion, score > 0.9]).toEqual(['additive-2', true])
  const { body } = await manager.get<Suggestion>(`/match-suggestions/${rejected?.id}`)
  expect([body.status, body.algorithmVersion, body.score, body.decision?.reason]).toEqual([
    'rejected',
    'additive-0',
    0.8,
    'Two shops.',
  ])
})

test('an operator may not start a run', async () => {
  const { operator } = await setUp()
  const { status } = await operator.post('/jobs', { kind: 'match-run', input: {} }, { 'idempotency-key': 'one' })
  expect(status).toBe(403)
})
