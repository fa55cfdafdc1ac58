import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { run } from '../../../../test/crash/dying-process.ts'
import { integrityOf } from '../../../../test/integrity.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { addEvidenceTo, createProspect, endProspect, type ListPage, type Problem } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { type Business, MAX_FAMILY } from '../../businesses/businesses.ts'
import type { Attempt, MergePreview } from '../merging/merges.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

async function setUp() {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  return { t, manager, ...(await suggestedPair(t, manager, 'Karoo Pumps')) }
}

async function edit(client: TestClient, id: string, body: object): Promise<void> {
  expect((await client.patch(`/businesses/${id}`, body, { 'if-match': '"1"' })).status).toBe(200)
}

test('of two merges into one survivor the later must be reversed first', async () => {
  const { t, manager, a, b, suggestion } = await setUp()
  const first = await merged(askMerge(manager, suggestion, a))
  const { id: c } = await createProspect(manager, {
    name: 'Karoo Pumps',
    emails: [{ value: 'desk@karoopumps.co.za' }],
  })
  await followChanges(t.store)
  const second = await merged(askMerge(manager, await suggestionOfPair(manager, a, c), a))
  const refused = await askReversal(manager, first.id)
  expect([refused.status, (refused.body as unknown as Problem).errors]).toMatchObject([
    409,
    [{ code: 'merged_again', message: second.id }],
  ])
  const statuses: number[] = []
  for (const { id } of [second, first]) statuses.push((await askReversal(manager, id)).status)
  expect(statuses).toEqual([200, 200])
  for (const id of [a, b, c]) expect((await manager.get(`/businesses/${id}`)).body).toMatchObject({ status: 'active' })
})

test('of two merges the later must be reversed first even if the clock was set back between them', async () => {
  const { t, manager, a, suggestion } = await setUp()
  const { id: c } = await createProspect(manager, {
    name: 'Karoo Pumps',
    emails: [{ value: 'desk@karoopumps.co.za' }],
  })
  await followChanges(t.store)
  await run({
    do: 'merge',
    dataDir: t.store.dataDir,
    tenantId: t.tenants.home.id,
    userId: t.tenants.home.users.manager.id,
    aheadMs: 3_600_000,
    suggestionId: suggestion.id,
    body: { survivorId: a, fingerprint: suggestion.fingerprint, reason: 'The same shop.', fields: {} },
    idempotency: { key: 'before the clock went back', fingerprint: 'the first merge' },
  })
  const second = await merged(askMerge(manager, await suggestionOfPair(manager, a, c), a))
  const { id: first } = await t.store.reader
    .selectFrom('merges')
    .select('id')
    .where('id', '<>', second.id)
    .executeTakeFirstOrThrow()
  expect(first > second.id).toBe(true)
  const refused = await askReversal(manager, first)
  expect([refused.status, (refused.body as unknown as Problem).errors]).toMatchObject([
    409,
    [{ code: 'merged_again', message: second.id }],
  ])
  const statuses: number[] = []
  for (const id of [second.id, first]) statuses.push((await askReversal(manager, id)).status)
  expect(statuses).toEqual([200, 200])
})

test('evidence added to the survivor since stays with it, and lists show that it has evidence', async () => {
  const { manager, a, b, suggestion } = await setUp()
  const { id } = await merged(askMerge(manager, suggestion, a))
  await addEvidenceTo(manager, a)
  expect((await askReversal(manager, id)).status).toBe(200)
  const { body } = await manager.get<ListPage<{ id: string }>>('/businesses?hasEvidence=true')
  expect(body.items.map((item) => item.id)).toEqual([a])
  expect((await manager.get<ListPage<object>>(`/businesses/${b}/evidence`)).body.items).toEqual([])
})

test('a count of evidence follows merges, corrections of merged evidence and reversals', async () => {
  const { t, manager, a, b } = await setUp()
  const countsOf = async (...ids: string[]) => {
    const rows = await t.store.reader.selectFrom('businesses').select(['id', 'evidence_count']).execute()
    return ids.map((id) => rows.find((row) => row.id === id)?.evidence_count)
  }
  await addEvidenceTo(manager, a)
  const { id: observed } = await addEvidenceTo(manager, b)
  expect(await countsOf(a, b)).toEqual([1, 1])
  const first = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect(await countsOf(a, b)).toEqual([2, 1])
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  await followChanges(t.store)
  const second = await merged(askMerge(manager, await suggestionOfPair(manager, a, c), c))
  await addEvidenceTo(manager, c, { supersedesId: observed })
  await addEvidenceTo(manager, c)
  expect(await countsOf(a, b, c)).toEqual([3, 2, 4])
  expect((await manager.get<ListPage<object>>(`/businesses/${c}/evidence`)).body.items).toHaveLength(4)
  expect((await askReversal(manager, second.id)).status).toBe(200)
  expect(await countsOf(a, b, c)).toEqual([3, 2, 1])
  expect((await askReversal(manager, first.id)).status).toBe(200)
  expect(await countsOf(a, b, c)).toEqual([1, 2, 1])
  expect(await integrityOf(t.store.dataDir, t.tenants.home.id)).toMatchObject({ first: null })
})

test('a suppressed address beyond the limit of the survivor still blocks it; if that failed, the merge would fail', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const desk = { value: 'desk@karoopumps.co.za' }
  const nineteen = Array.from({ length: 19 }, (_, at) => ({ value: `a${at}@karoopumps.co.za` }))
  const bodies = [{ emails: [desk, ...nineteen] }, { emails: [desk, { value: 'jan@elsewhere.co.za' }] }]
  const { a, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps', bodies)
  const entry = { kind: 'email', value: 'jan@elsewhere.co.za', reason: 'He asked.', channel: 'email' }
  expect((await manager.post('/suppressions', entry)).status).toBe(201)
  const { fingerprint } = (await manager.get<{ fingerprint: string }>(`/match-suggestions/${suggestion.id}`)).body
  const ask = () => askMerge(manager, { ...suggestion, fingerprint }, a)
  // A trigger drops the survivor's suppression match. First the guard of the database must detect it; after the guard is dropped, the read-back must.
  const writer = await writerOf(t.store)
  await sql`CREATE TRIGGER losing BEFORE INSERT ON suppression_matches BEGIN SELECT RAISE(IGNORE); END`.execute(writer)
  for (const guard of ['none', 'businesses_carry_matches']) {
    await sql`DROP TRIGGER IF EXISTS ${sql.table(guard)}`.execute(writer)
    expect([(await ask()).body.code, (await manager.get<Business>(`/businesses/${a}`)).body.doNotContact]).toEqual([
      'merge_stopped',
      null,
    ])
  }
  await sql`DROP TRIGGER losing`.execute(writer)
  const { body: preview } = await manager.get<MergePreview>(`/match-suggestions/${suggestion.id}/merge-preview`)
  const merge = await merged(ask())
  expect(merge.readBack).toMatchObject({ leftOut: { identifiers: 1 }, doNotContact: true })
  expect(preview.sides.map(({ leftOut }) => leftOut)).toEqual([merge.readBack.leftOut, { identifiers: 1, tags: 0 }])
  expect((await manager.get<Business>(`/businesses/${a}`)).body.doNotContact).toMatchObject({ through: 'suppression' })
})

test('a record with the maximum number of merged records refuses another merge before any write', async () => {
  const { t, manager, a, b, suggestion } = await setUp()
  for (let one = 1; one < MAX_FAMILY; one++) {
    const { id } = await createProspect(manager, { name: `Once ${one}` })
    await endProspect(t, id, { status: 'merged', into: a })
  }
  const { fingerprint } = (await manager.get<{ fingerprint: string }>(`/match-suggestions/${suggestion.id}`)).body
  const { status, body } = await askMerge(manager, { ...suggestion, fingerprint }, a)
  expect([status, body]).toMatchObject([
    413,
    { code: 'too_large', limit: 'merged_records', size: MAX_FAMILY + 1, max: MAX_FAMILY },
  ])
  expect((await manager.get<{ items: Attempt[] }>('/merge-attempts')).body.items).toEqual([])
  expect((await manager.get(`/businesses/${b}`)).body).toMatchObject({ status: 'active' })
})

test('evidence of records merged before counts in the preview and is stored with the value not chosen', async () => {
  const { t, manager, a, b } = await setUp()
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  await edit(manager, b, { industry: 'Irrigation' })
  await edit(manager, c, { industry: 'Farming' })
  const seen = await addEvidenceTo(manager, b, { field: 'industry', value: 'Irrigation' })
  await followChanges(t.store)
  await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a, { fields: { industry: b } }))
  await followChanges(t.store)
  const suggestion = await suggestionOfPair(manager, a, c)
  const { body } = await manager.get<MergePreview>(`/match-suggestions/${suggestion.id}/merge-preview`)
  expect(body.fields.find(({ field }) => field === 'industry')?.evidence).toEqual([1, 0])
  const { choices } = await merged(askMerge(manager, suggestion, c, { fields: { industry: c } }))
  expect(choices).toMatchObject([
    { field: 'industry', value: 'Farming', alternative: { value: 'Irrigation', evidenceIds: [seen.id] } },
  ])
})
