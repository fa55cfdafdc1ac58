import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestApp } from '../../../../test/build-app.ts'
import { forgetAll, karoo, matchWorld } from '../../../../test/match-world.ts'
import { createProspect } from '../../../../test/prospects.ts'
import type { Suggestion } from '../matching.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

/** Number of records with equal values, above the limit up to which all records of a block are compared. */
const LARGE_BLOCK = 60

/** Returns the stored and the expected counts. */
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

test('a run over the whole tenant finds what the checks at creation find, and a second run changes nothing', async () => {
  const { t, manager, run, open } = await matchWorld()
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

test('the list and the detail name the snapshot of a score, and another snapshot changes no decided pair', async () => {
  const { t, manager, run, open } = await matchWorld()
  for (const name of ['Karoo Windpumps', 'Karoo Windpmups CC']) await createProspect(manager, { ...karoo, name })
  await run()
  const [first] = await open()
  const detail = (id = '') => manager.get<Suggestion>(`/match-suggestions/${id}`).then(({ body }) => body)
  expect((await detail(first?.id)).snapshotId).toBe(first?.snapshotId)
  const path = `/match-suggestions/${first?.id}/rejection`
  expect((await manager.post(path, { reason: 'Two shops.' })).status).toBe(200)
  const decided = await detail(first?.id)
  for (const name of ['Karoo Lodge', 'Karoo Farming', 'Karoo Butchery'])
    await createProspect(manager, { name, phones: [{ value: `04155501${name.length}`, region: 'ZA' }] })
  await run()
  const { count } = await t.store.reader
    .selectFrom('match_snapshots')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeGreaterThan(1)
  expect(await detail(first?.id)).toEqual(decided)
  expect((await open()).map(({ id }) => id)).not.toContain(first?.id)
})

test('a run stores the same row for each record as a check', async () => {
  const { t, manager, run } = await matchWorld()
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

test('a run ends invalid suggestions and does not change rejected ones', async () => {
  const { t, manager, run, open } = await matchWorld()
  await createProspect(manager, karoo)
  const b = await createProspect(manager, karoo)
  const c = await createProspect(manager, { ...karoo, name: 'Karoo Windpmups' })
  await run()
  const all = await open()
  expect(all).toHaveLength(3)
  const rejected = all.find(({ businesses }) => businesses.every(({ id }) => id !== c.id))
  await manager.post(`/match-suggestions/${rejected?.id}/rejection`, { reason: 'Two shops.' })
  await t.store.write('upkeep', async (db) => {
    await db.updateTable('businesses').set({ name: 'Botha Attorneys' }).where('id', '=', c.id).execute()
    return { keep: true, value: undefined }
  })
  t.clock.advance(1_000)
  await run()
  expect(await open()).toEqual([])
  const { body } = await manager.get<Suggestion>(`/match-suggestions/${rejected?.id}`)
  expect([body.status, body.businesses.some(({ id }) => id === b.id)]).toEqual(['rejected', true])
})

test('a run leaves valid suggestions open, even those whose pairs it does not compare in a large block', async () => {
  const { manager, run, open, t } = await matchWorld()
  for (let n = 0; n < LARGE_BLOCK; n++) await createProspect(manager, karoo)
  await followChanges(t.store)
  const checked = (await open()).map(({ id }) => id)
  const { superseded, pairsLeftOut } = JSON.parse((await run()).result_json ?? '{}')
  expect(pairsLeftOut).toBeGreaterThan(0)
  expect(superseded).toBe(0)
  const ids = new Set((await open()).map(({ id }) => id))
  expect(checked.filter((id) => !ids.has(id))).toEqual([])
})

test('the counts of suggestions equal the rows in both bands after every transition', async () => {
  const { t, manager, run, open } = await matchWorld()
  for (let n = 0; n < 2; n++) await createProspect(manager, karoo)
  const named = await createProspect(manager, { name: karoo.name })
  await run()
  const bands = (await open()).map(({ band }) => band)
  expect(bands.sort()).toEqual(['review', 'review', 'strong'])
  const found = await counted(t)
  expect(found.kept).toEqual(found.there)
  const [strong] = await open()
  await manager.post(`/match-suggestions/${strong?.id}/rejection`, { reason: 'Two shops.' })
  await t.store.write('upkeep', async (db) => {
    await db.updateTable('businesses').set({ name: 'Botha Attorneys' }).where('id', '=', named.id).execute()
    return { keep: true, value: undefined }
  })
  t.clock.advance(1_000)
  await run()
  const ended = await counted(t)
  expect(ended.kept).toEqual(ended.there)
  expect(new Set(ended.kept.map(({ status }) => status))).toEqual(new Set(['rejected', 'superseded']))
})

test('a new algorithm version evaluates open suggestions again under the same id and does not change decisions', async () => {
  const { t, manager, run, open } = await matchWorld()
  for (let n = 0; n < 3; n++) await createProspect(manager, karoo)
  await run()
  await t.store.write('upkeep', async (db) => {
    await db.updateTable('match_suggestions').set({ algorithm_version: 'additive-0', score: 0.8 }).execute()
    return { keep: true, value: undefined }
  })
  const [rejected, merging, third] = await open()
  await manager.post(`/match-suggestions/${rejected?.id}/rejection`, { reason: 'Two shops.' })
  t.clock.advance(1_000)
  const result = JSON.parse((await run()).result_json ?? '{}')
  expect(result).toMatchObject({ created: 0, updated: 2, passedBy: 1, superseded: 0 })
  const now = await open()
  expect(now.map(({ id }) => id).toSorted()).toEqual([merging?.id, third?.id].toSorted())
  for (const { algorithmVersion, score } of now) expect([algorithmVersion, score > 0.9]).toEqual(['additive-6', true])
  const { body } = await manager.get<Suggestion>(`/match-suggestions/${rejected?.id}`)
  expect([body.status, body.algorithmVersion, body.score, body.decision?.reason]).toEqual([
    'rejected',
    'additive-0',
    0.8,
    'Two shops.',
  ])
})

test('an operator cannot start a run', async () => {
  const { operator } = await matchWorld()
  const { status } = await operator.post('/jobs', { kind: 'match-run', input: {} }, { 'idempotency-key': 'one' })
  expect(status).toBe(403)
})
