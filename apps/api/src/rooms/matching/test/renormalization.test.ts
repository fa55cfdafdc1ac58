import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { jobWorld } from '../../../../test/job-world.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, walk } from '../../../../test/prospects.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import { matchRun, renormalization } from '../matching.jobs.ts'
import type { SuggestionSummary } from '../matching.schema.ts'
import type { Merge } from '../merging/merges.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

const phone = { value: '041 555 0101', region: 'ZA' }

async function setUp({ isWorking = true } = {}) {
  const world = await jobWorld([renormalization, matchRun])
  if (isWorking) world.work()
  const { t } = world
  const manager = await t.as('manager')
  const read = async (id: string) => (await manager.get<Business>(`/businesses/${id}`)).body
  /** Rewrites identifiers as older rules would have stored them, which did not use the country. */
  const makeOld = () =>
    t.store.write('upkeep', async (db) => {
      await sql`UPDATE business_identifiers SET normalized = NULL, uncertainty = 'no_country_context' WHERE kind = 'phone'`.execute(
        db,
      )
      await sql`UPDATE business_search_pending SET text = replace(text, '27415550101', '')`.execute(db)
      await sql`UPDATE business_identifiers SET normalization_version = 'identifiers-1'`.execute(db)
      await sql`UPDATE businesses SET normalization_version = 'identifiers-1', province_code = NULL, primary_phone_normalized = NULL`.execute(
        db,
      )
      return { keep: true, value: undefined }
    })
  const run = async () => {
    const job = await world.ended((await world.create({}, manager)).id)
    expect(job.status).toBe('succeeded')
    const result = JSON.parse(job.result_json ?? '{}')
    // Waits for the run, whose threads write to the folder of this test until the run ends.
    if (result.matchRunId !== null) await world.ended(result.matchRunId)
    return result
  }
  return { ...world, manager, read, makeOld, run }
}

test('outdated forms are derived again from the typed values, blocks stay, and then a search for duplicates starts', async () => {
  const { t, manager, read, makeOld, run, ended } = await setUp()
  const address = { province: 'Eastern Cape' }
  const a = await createProspect(manager, { name: 'Karoo Windpumps', phones: [phone], address })
  const b = await createProspect(manager, { name: 'Karoo Windpumps CC', phones: [{ value: '+27 41 555 0101' }] })
  const blocked = await createProspect(manager, { name: 'Botha Attorneys', phones: [{ value: '+27 41 555 0102' }] })
  const entry = { kind: 'phone', value: '+27 41 555 0102', reason: 'They asked.', channel: 'phone' }
  expect((await manager.post('/suppressions', entry)).status).toBe(201)
  const before = await Promise.all([a.id, b.id, blocked.id].map(read))
  await makeOld()
  expect((await read(a.id)).phones).toMatchObject([{ value: phone.value, normalized: null }])
  // The query omits the first digit. A query with the whole number would be read in its national form, which the typed value contains too.
  const foundByPhone = async () => (await manager.get<{ items: unknown[] }>('/businesses?q=7415550101')).body.items
  expect(await foundByPhone()).toEqual([])
  const listedPhones = async () =>
    (await walk<BusinessSummary>(manager, '/businesses?sort=createdAt')).map((row) => row.primaryPhoneNormalized)
  expect(await listedPhones()).toEqual([null, null, null])
  const result = await run()
  expect(result).toMatchObject({ read: 3, businesses: 3, identifiers: 3, normalizationVersion: 'identifiers-9' })
  const after = await Promise.all([a.id, b.id, blocked.id].map(read))
  expect(after).toEqual(before.map((one) => ({ ...one, version: one.version + 1 })))
  expect(after[2]?.doNotContact).not.toBeNull()
  expect(await ended(result.matchRunId)).toMatchObject({ kind: 'match-run', status: 'succeeded' })
  const found = await walk<SuggestionSummary>(manager, '/match-suggestions')
  expect(found.map(({ businesses }) => businesses.map(({ id }) => id))).toEqual([[a.id, b.id].toSorted()])
  expect(await foundByPhone()).toHaveLength(2)
  expect(await listedPhones()).toEqual(['+27415550101', '+27415550101', '+27415550102'])
  const again = await t.changes(async () => expect(await run()).toMatchObject({ businesses: 0, matchRunId: null }))
  for (const table of ['businesses', 'business_identifiers', 'match_suggestions'])
    expect(again).not.toHaveProperty(table)
})

test('provinces that older rules could not read are filed after a renormalization; ambiguous ones stay other', async () => {
  const { t, manager, read, run } = await setUp()
  const typed = ['GAUTENG.', 'ZA-WC', 'Limpopo: Northern Province', 'NP', 'Transvaal']
  const ids: string[] = []
  for (const province of typed)
    ids.push((await createProspect(manager, { name: `Karoo ${province}`, address: { province } })).id)
  await t.store.write('upkeep', async (db) => {
    await sql`UPDATE businesses SET normalization_version = 'identifiers-8', province_code = 'other'`.execute(db)
    return { keep: true, value: undefined }
  })
  const inGauteng = async () => (await manager.get<{ items: unknown[] }>('/businesses?province=GP')).body.items
  expect(await inGauteng()).toEqual([])
  expect(await run()).toMatchObject({ businesses: typed.length })
  const after = await Promise.all(ids.map(read))
  expect(after.map(({ provinceCode }) => provinceCode)).toEqual(['GP', 'WC', 'LP', 'other', 'other'])
  expect(after.map(({ address }) => address.province)).toEqual(typed)
  expect(await inGauteng()).toHaveLength(1)
})

test('a number is read by its stored country, and one without a country stays as typed', async () => {
  const { t, manager, read, run } = await setUp()
  const phones = [
    { value: '(847) 488-9988', region: 'US' },
    { value: '021 555 0101', region: null },
  ]
  const { id } = await createProspect(manager, { name: 'Karoo Windpumps', phones })
  await t.store.write('upkeep', async (db) => {
    await sql`UPDATE business_identifiers SET normalized = NULL, uncertainty = 'no_country_context', normalization_version = 'identifiers-4'`.execute(
      db,
    )
    return { keep: true, value: undefined }
  })
  expect(await run()).toMatchObject({ businesses: 1, identifiers: 2 })
  expect((await read(id)).phones).toMatchObject([
    { ...phones[0], normalized: '+18474889988', uncertainty: null },
    { ...phones[1], normalized: null, uncertainty: 'no_country_context' },
  ])
})

test('a merge made before the job is reversed after it with the same result', async () => {
  const { t, manager, read, makeOld, run } = await setUp()
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [
    { phones: [phone], address: { province: 'Eastern Cape' } },
    { phones: [{ value: '041 555 0102', region: 'ZA' }], industry: 'Farming' },
  ])
  const before = [await read(a), await read(b)]
  await makeOld()
  await followChanges(t.store)
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const told = (await manager.get<Merge>(`/merges/${id}`)).body.reversible
  expect(told?.outcome?.restored.toSorted()).toEqual(['identifiers', 'industry'])
  await run()
  expect((await read(a)).phones.map(({ normalized }) => normalized)).toEqual(['+27415550101', '+27415550102'])
  expect((await manager.get<Merge>(`/merges/${id}`)).body.reversible).toEqual(told)
  expect((await askReversal(manager, id)).status).toBe(200)
  for (const [at, record] of [a, b].entries())
    expect(await read(record)).toEqual({ ...before[at], version: expect.any(Number), updatedAt: expect.any(String) })
})

test('a job started by other rules restarts: their results do not count', async () => {
  const { t, manager, makeOld, create, work, ended } = await setUp({ isWorking: false })
  await createProspect(manager, { phones: [phone] })
  await makeOld()
  const { id } = await create({}, manager)
  const checkpoint = {
    normalizationVersion: 'identifiers-1',
    read: 100,
    businesses: 0,
    identifiers: 0,
    after: 'ffffffff',
  }
  await t.store.write('upkeep', async (db) => {
    const checkpoint_json = JSON.stringify(checkpoint)
    await db.updateTable('jobs').set({ checkpoint_json }).where('id', '=', id).execute()
    return { keep: true, value: undefined }
  })
  work()
  const result = JSON.parse((await ended(id)).result_json ?? 'null')
  expect(result).toMatchObject({ read: 1, businesses: 1, identifiers: 1 })
  await ended(result.matchRunId)
})

test('an operator cannot start the job', async () => {
  const { operator } = await setUp()
  const { status } = await operator.post('/jobs', { kind: 'renormalization', input: {} }, { 'idempotency-key': 'one' })
  expect(status).toBe(403)
})
