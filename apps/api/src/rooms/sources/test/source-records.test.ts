import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Answer, buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { createProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Evidence } from '../../evidence/evidence.schema.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Merge } from '../../matching/merging/merges.schema.ts'
import { deleteDueRaws } from '../records/raw-deletion.ts'
import type { SourceRecord } from '../records/records.schema.ts'
import { getRecord } from '../records/source-records.ts'
import type { Health } from '../sources.schema.ts'
import { CSV_SOURCE_ID, MANUAL_SOURCE_ID } from '../sources.table.ts'

const RAW = 'Overberg Fencing, 12 Long Street, call Pieter on 082 555 0199'
const reference = {
  sourceId: MANUAL_SOURCE_ID,
  raw: RAW,
  attribution: 'Trade directory 2026',
  capturedAt: '2026-11-20T09:00:00Z',
  observations: [
    { field: 'industry', value: 'Fencing', confidence: 'medium' },
    { field: 'address.street', value: '12 Long Street', confidence: 'high' },
  ],
}
type Answered = SourceRecord & Refusal

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  const path = `/businesses/${id}/source-records`
  const record = (body: object = {}, client: TestClient = operator) =>
    client.post<Answered>(path, { ...reference, ...body })
  return { t, operator, id, path, record }
}

test('one reference is recorded with its observations, which name it, and no event or stored response contains its text', async () => {
  const { t, operator, id, path, record } = await setUp()
  const answers: Answer<Answered>[] = []
  const changes = await t.changes(async () => {
    answers.push(await operator.post<Answered>(path, reference, { 'idempotency-key': 'once' }))
  })
  expect(changes).toMatchObject({ source_records: 1, source_record_raws: 1, evidence: 2, audit_events: 3 })
  const [added] = answers
  expect(added).toMatchObject({
    status: 201,
    body: { raw: RAW, rawState: 'kept', suppliedBy: 'operator', evidenceIds: [expect.any(String), expect.any(String)] },
  })
  const evidence = await walk<Evidence>(operator, `/businesses/${id}/evidence`)
  expect(evidence.map(({ sourceRecordId, rawState }) => [sourceRecordId, rawState])).toEqual([
    [added?.body.id, 'kept'],
    [added?.body.id, 'kept'],
  ])
  await record({ raw: 'Another reference' })
  const holding = async (table: string) => {
    const { rows } = await sql`SELECT * FROM ${sql.table(table)}`.execute(t.store.reader)
    return JSON.stringify(rows).includes('Pieter')
  }
  for (const table of ['audit_events', 'idempotency_keys', 'jobs', 'source_records', 'evidence', 'business_search'])
    expect([table, await holding(table)]).toEqual([table, false])
  expect(await holding('source_record_raws')).toBe(true)
  expect(t.logged()).not.toContain('Pieter')
})

test('a reference is limited: 20 observations, 16 KiB, no future time, and it is recorded under its own entry', async () => {
  const { t, record } = await setUp()
  const observation = reference.observations[0]
  const wrong = [
    { observations: Array.from({ length: 21 }, () => observation) },
    { raw: 'é'.repeat(8_193) },
    { raw: null, observations: [] },
    { capturedAt: '2030-01-01T00:00:00Z' },
    { observedAt: '2026-11-21T00:00:00Z' },
    { sourceId: CSV_SOURCE_ID },
  ]
  const statuses: number[] = []
  const changes = await t.changes(async () => {
    for (const body of wrong) statuses.push((await record(body)).status)
  })
  expect([statuses, changes]).toEqual([wrong.map(() => 400), {}])
  expect((await record({ raw: 'é'.repeat(8_192) })).status).toBe(201)
})

async function preview(client: TestClient): Promise<string> {
  const csv = 'Name,Email,Phone\nOverberg Fencing,desk@overberg.co.za,021 555 0101\nKaroo Windpumps,desk@karoo.co.za,\n'
  const { body } = await client.post<{ id: string }>('/csv-previews', csv, { 'content-type': 'text/csv' })
  return body.id
}

test('of a CSV row the selected cells are recorded, and otherwise only its position', async () => {
  const { t, operator, path } = await setUp()
  const manager = await t.as('manager')
  const previewId = await preview(operator)
  const body = {
    sourceId: CSV_SOURCE_ID,
    attribution: 'List of members',
    capturedAt: '2026-11-20T09:00:00Z',
    csvRow: { previewId, row: 1, columns: [1, 3] },
    observations: [{ field: 'name', value: 'Overberg Fencing', confidence: 'high' }],
  }
  const { status, body: added } = await operator.post<Answered>(path, body)
  expect([status, added]).toMatchObject([
    201,
    {
      raw: '{"1 Name":"Overberg Fencing","3 Phone":"021 555 0101"}',
      csv: { row: 1, line: 2, fileSha256: expect.any(String) },
    },
  ])
  const { rows } = await sql`SELECT raw FROM source_record_raws`.execute(t.store.reader)
  expect(JSON.stringify(rows)).not.toContain('overberg.co.za')

  const changes = await t.changes(async () => {
    const again = await operator.post<Answered>(path, {
      ...body,
      csvRow: { previewId, row: 1, columns: [2] },
      observations: [],
    })
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'source_record_exists', errors: [{ message: added.id }] },
    })
    const refused: [object, number][] = [
      [{ csvRow: { previewId, row: 2, columns: [1] } }, 400],
      [{ csvRow: { previewId, row: 2, columns: [9] }, observations: [] }, 400],
      [{ csvRow: { previewId, row: 3, columns: [1] }, observations: [] }, 404],
      [{ csvRow: { previewId: 'gone', row: 2, columns: [1] } }, 404],
      [{ raw: 'Typed as well' }, 400],
      [{ sourceId: MANUAL_SOURCE_ID }, 400],
    ]
    for (const [change, wanted] of refused)
      expect([change, (await operator.post(path, { ...body, ...change })).status]).toEqual([change, wanted])
    expect((await manager.post(path, body)).status).toBe(404)
  })
  expect(changes).toEqual({})
  const other = await createProspect(operator, { name: 'Another' })
  expect((await operator.post(`/businesses/${other.id}/source-records`, body)).status).toBe(201)
})

test('a record is hidden like notes if its prospect is do not contact', async () => {
  const { t, operator, id, path, record } = await setUp()
  await record()
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'Asked.' })
  const [seen] = await walk<SourceRecord>(operator, path)
  expect(seen).toMatchObject({ raw: RAW })
  const tenantId = t.tenants.home.id
  const reader = {
    kind: 'user',
    tenantId,
    userId: 'somebody',
    correlationId: 'test',
    permissions: new Set<never>(),
  } as const
  const hidden = await getRecord(t.store.reader, reader, id, seen?.id ?? '')
  expect(hidden).toMatchObject({ raw: null, attribution: '•••', rawState: 'kept' })
  expect((await (await t.as('viewer')).get(path)).status).toBe(403)
})

test('an observation with a suppressed value marks the prospect as do not contact', async () => {
  const { operator, id, record } = await setUp()
  await operator.post('/suppressions', {
    kind: 'email',
    value: 'owner@overberg.co.za',
    reason: 'Asked.',
    channel: 'phone',
  })
  await record({ observations: [{ field: 'email', value: 'owner@overberg.co.za', confidence: 'low' }] })
  const { body } = await operator.get<{ doNotContact: unknown }>(`/businesses/${id}`)
  expect(body.doNotContact).not.toBeNull()
})

const sweep = ({ store, tenants }: TestApp) => deleteDueRaws(store, systemActor('sources', tenants.home.id))

test('raw text is deleted when its class ends; hash, attribution and facts stay and say so', async () => {
  const { t, operator, id, path, record } = await setUp()
  const { body: added } = await record()
  t.clock.advance(180 * DAY_MS - 1)
  expect(await sweep(t)).toEqual({ deleted: 0, failed: 0 })
  t.clock.advance(1)
  expect(await sweep(t)).toEqual({ deleted: 1, failed: 0 })
  t.clock.advance(-180 * DAY_MS)
  const [kept] = await walk<SourceRecord>(operator, path)
  expect(kept).toMatchObject({
    raw: null,
    rawState: 'deleted',
    sha256: added.sha256,
    attribution: 'Trade directory 2026',
  })
  const evidence = await walk<Evidence>(operator, `/businesses/${id}/evidence`)
  expect(evidence.map(({ rawState }) => rawState)).toEqual(['deleted', 'deleted'])
  const { rows } = await sql`SELECT raw FROM source_record_raws`.execute(t.store.reader)
  expect(rows).toEqual([{ raw: null }])
})

test('raw texts are counted as they are stored, deleted and erased', async () => {
  const { t, id, path, record } = await setUp()
  const counted = async () => {
    const { rows } = await sql<{ counted: number; stored: number }>`
      SELECT (SELECT count FROM source_raw_counts WHERE tenant_id = ${t.tenants.home.id}) AS counted,
        (SELECT count(*) FROM source_record_raws WHERE tenant_id = ${t.tenants.home.id} AND raw IS NOT NULL) AS stored`.execute(
      t.store.reader,
    )
    return rows
  }
  const { body: first } = await record()
  for (const raw of ['Another reference', 'A third reference', null]) await record({ raw })
  expect(await counted()).toEqual([{ counted: 3, stored: 3 }])
  await (await t.as('manager')).post(`${path}/${first.id}/raw-deletion`, { reason: 'Not needed.' })
  expect(await counted()).toEqual([{ counted: 2, stored: 2 }])
  await (await t.as('administrator')).post(`/businesses/${id}/erasure`, { reason: 'Asked.' })
  expect(await counted()).toEqual([{ counted: 0, stored: 0 }])
})

test('a person deletes raw text earlier, with a reason', async () => {
  const { t, path, record } = await setUp()
  const manager = await t.as('manager')
  const { body: added } = await record()
  const remove = () => manager.post<Answered>(`${path}/${added.id}/raw-deletion`, { reason: 'Not needed.' })
  expect((await remove()).body).toMatchObject({
    raw: null,
    rawState: 'deleted',
    rawDeletionReason: 'Not needed.',
    rawDeletedBy: { kind: 'user' },
  })
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const { body: health } = await manager.get<Health>(`/sources/${MANUAL_SOURCE_ID}/health?interval=day`)
  expect(health.items).toMatchObject([{ raw: { kept: 1, deleted: 1, failed: 0 } }])
})

test('a failed deletion stays visible as failed, delays no other, and is retried', async () => {
  const { t, operator, path, record } = await setUp()
  const { body: stuck } = await record({ raw: 'Stuck' })
  await record({ raw: 'Free' })
  const writer = await writerOf(t.store)
  await sql`CREATE TRIGGER stuck BEFORE UPDATE OF raw ON source_record_raws WHEN OLD.raw = 'Stuck' AND NEW.raw IS NULL
    BEGIN SELECT RAISE(ABORT, 'stuck'); END`.execute(writer)
  t.clock.advance(181 * DAY_MS)
  expect(await sweep(t)).toEqual({ deleted: 1, failed: 1 })
  expect(await sweep(t)).toEqual({ deleted: 0, failed: 1 })
  t.clock.advance(-181 * DAY_MS)
  const failed = (await operator.get<SourceRecord>(`${path}/${stuck.id}`)).body
  expect(failed).toMatchObject({ raw: 'Stuck', rawState: 'failed', rawFailure: expect.stringContaining('store_error') })
  await sql`DROP TRIGGER stuck`.execute(writer)
  t.clock.advance(181 * DAY_MS)
  expect(await sweep(t)).toEqual({ deleted: 1, failed: 0 })
})

test('a class without retention stores only the hash', async () => {
  const { t, record } = await setUp()
  const manager = await t.as('manager')
  await manager.post(`/sources/${MANUAL_SOURCE_ID}/versions`, { contract: { rawRetention: 'none' } })
  expect((await record()).body).toMatchObject({ raw: null, rawState: 'none', sha256: expect.any(String) })
  const { rows } = await sql`SELECT raw FROM source_record_raws`.execute(t.store.reader)
  expect(rows).toEqual([{ raw: null }])
})

test('a merge counts source records and shows them with their origin; a reversal returns them', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Protea Pumps')
  const add = async (id: string, raw: string) =>
    (await manager.post<Answered>(`/businesses/${id}/source-records`, { ...reference, raw })).body
  const [own, theirs] = [await add(a, 'Own'), await add(b, 'Theirs')]
  const { body: now } = await manager.get<typeof suggestion>(`/match-suggestions/${suggestion.id}`)
  const merge = await merged(askMerge(manager, now, a))
  expect((merge as Merge).readBack).toMatchObject({
    loser: { sourceRecords: 1 },
    throughSurvivor: { sourceRecords: 2 },
  })
  const records = await walk<SourceRecord>(manager, `/businesses/${a}/source-records`)
  expect(records.map(({ id, businessId }) => [id, businessId])).toEqual([
    [theirs.id, b],
    [own.id, a],
  ])
  // Deletes a raw text between merge and reversal. It does not prevent the reversal, because the rows that a snapshot counts and hashes are not
  // changed.
  await manager.post(`/businesses/${a}/source-records/${theirs.id}/raw-deletion`, { reason: 'Not needed.' })
  expect((await askReversal(manager, merge.id)).status).toBe(200)
  const after = await walk<SourceRecord>(manager, `/businesses/${b}/source-records`)
  expect(after.map(({ id, evidenceIds }) => [id, evidenceIds.length])).toEqual([[theirs.id, 2]])
})

test('an erasure empties the records with their raw text; the rows stay', async () => {
  const { t, operator, id, path, record } = await setUp()
  const administrator = await t.as('administrator')
  await record({ attribution: 'Pieter himself' })
  const { status, body } = await administrator.post<{ erased: object }>(`/businesses/${id}/erasure`, {
    reason: 'Asked.',
  })
  expect([status, body.erased]).toMatchObject([200, { sourceRecords: 1, evidence: 2 }])
  const { rows } = await sql`SELECT * FROM source_records r JOIN source_record_raws w ON w.record_id = r.id`.execute(
    t.store.reader,
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toMatch(/Pieter|Overberg/)
  expect(await walk<SourceRecord>(operator, path)).toMatchObject([
    { attribution: 'Erased.', raw: null, sha256: null, csv: null },
  ])
  const events = await walk<AuditEvent>(administrator, '/audit-events', 100)
  expect(JSON.stringify(events)).not.toContain('Pieter')
})

test('a source record is written once: the database refuses to change or delete it', async () => {
  const { t, record } = await setUp()
  await record()
  const writer = await writerOf(t.store)
  for (const statement of [sql`UPDATE source_records SET attribution = 'Another'`, sql`DELETE FROM source_records`])
    await expect(statement.execute(writer)).rejects.toThrow('append-only')
})
