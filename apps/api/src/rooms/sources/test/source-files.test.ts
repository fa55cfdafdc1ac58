import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { createProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import type { SourceFile } from '../files/files.schema.ts'
import { CSV_SOURCE_ID } from '../sources.table.ts'

const label = 'CSV file members.csv (5a5a5a5a)'
const file = {
  sha256: '5a'.repeat(32),
  name: 'members.csv',
  label,
  purpose: 'Introductions to members',
  legalBasis: 'Legitimate interest',
}

const ownerOf = async (client: TestClient) => {
  const { body } = await client.get<{ user: { id: string } }>('/session')
  return body.user.id
}

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const ownerId = await ownerOf(operator)
  const add = (body: object = {}) => operator.post<SourceFile & Refusal>('/source-files', { ...file, ownerId, ...body })
  return { t, operator, ownerId, add }
}

test('a file is recorded once, with its owner, purpose and legal basis, and an event', async () => {
  const { t, operator, ownerId, add } = await setUp()
  const changes = await t.changes(async () => {
    expect(await add()).toMatchObject({
      status: 201,
      body: { ...file, owner: { id: ownerId }, createdBy: { id: ownerId } },
    })
  })
  expect(changes).toMatchObject({ source_files: 1, audit_events: 1 })
  const again = await t.changes(async () => {
    expect(await add({ purpose: 'Something else' })).toMatchObject({
      status: 409,
      body: { code: 'source_file_exists' },
    })
  })
  expect(again.source_files ?? 0).toBe(0)
  await add({ sha256: '6b'.repeat(32), name: 'others.csv' })
  const all = await walk<SourceFile>(operator, '/source-files')
  expect(all.map(({ name }) => name)).toEqual(['others.csv', 'members.csv'])
  const one = await walk<SourceFile>(operator, `/source-files?sha256=${file.sha256}`)
  expect(one.map(({ purpose }) => purpose)).toEqual([file.purpose])
  const events = await walk<AuditEvent>(await t.as('administrator'), '/audit-events?action=source_file.add')
  expect(events).toHaveLength(2)
})

test.each([
  ['an owner who is not a member', { ownerId: '01900000-0000-7000-8000-000000000000' }, 422],
  ['a hash that is not a SHA-256', { sha256: '5A' }, 400],
  ['no purpose', { purpose: ' ' }, 400],
  ['no legal basis', { legalBasis: '' }, 400],
])('%s is refused', async (_what, body, status) => {
  const { t, add } = await setUp()
  const changes = await t.changes(async () => {
    expect((await add(body)).status).toBe(status)
  })
  expect(changes.source_files ?? 0).toBe(0)
})

test('the label of a file finds its prospects, until an erasure', async () => {
  const { t, operator, add } = await setUp()
  await add()
  const made = await Promise.all(['One', 'Two', 'Three'].map((name) => createProspect(operator, { name })))
  for (const { id } of made.slice(0, 2)) {
    const observation = {
      observation: 'Row',
      sourceLabel: label,
      capturedAt: '2026-11-20T09:00:00Z',
      confidence: 'low',
    }
    expect((await operator.post(`/businesses/${id}/evidence`, observation)).status).toBe(201)
  }
  // A file with the same name and other content has another label.
  const [, , third] = made
  const other = { observation: 'Row', sourceLabel: 'CSV file members.csv (6b6b6b6b)', confidence: 'low' }
  await operator.post(`/businesses/${third?.id}/evidence`, { ...other, capturedAt: '2026-11-20T09:00:00Z' })
  const conditions = encodeURIComponent(JSON.stringify([{ field: 'sourceLabel', op: 'any_of', values: [label] }]))
  const found = () => walk<{ name: string }>(operator, `/businesses?conditions=${conditions}`)
  expect((await found()).map(({ name }) => name).toSorted()).toEqual(['One', 'Two'])
  const administrator = await t.as('administrator')
  const [first] = made
  const erasure = await administrator.post(`/businesses/${first?.id}/erasure`, { reason: 'Asked for it.' })
  expect(erasure.status).toBeLessThan(300)
  expect((await found()).map(({ name }) => name)).toEqual(['Two'])
})

test('the label of a file exports its prospects, also the one that was known before', async () => {
  const { t, operator, work, ended } = await jobWorld([exportJob])
  work()
  const [made, known] = [
    await createProspect(operator, { name: 'Made' }),
    await createProspect(operator, { name: 'Known' }),
  ]
  await createProspect(operator, { name: 'Other' })
  const about = { capturedAt: '2026-11-20T09:00:00Z', confidence: 'low' }
  await operator.post(`/businesses/${made.id}/evidence`, { ...about, observation: 'Row', sourceLabel: label })
  const csv = await operator.post<{ id: string }>('/csv-previews', 'Name\nKnown\n', { 'content-type': 'text/csv' })
  const recorded = await operator.post(`/businesses/${known.id}/source-records`, {
    sourceId: CSV_SOURCE_ID,
    attribution: label,
    capturedAt: about.capturedAt,
    csvRow: { previewId: csv.body.id, row: 1, columns: [1] },
    observations: [{ field: 'name', value: 'Known', confidence: 'low' }],
  })
  expect(recorded.status).toBe(201)
  const manager = await t.as('manager')
  const filter = [{ field: 'sourceLabel', op: 'any_of', values: [label] }]
  const request = { source: 'prospects', format: 'jsonl', filter }
  const asked = await manager.post<{ id: string; jobId: string }>('/exports', request, { 'idempotency-key': newId() })
  expect(asked.status).toBe(201)
  expect((await ended(asked.body.jobId)).error_message).toBeNull()
  const { body } = await manager.get<string>(`/exports/${asked.body.id}/content`)
  const names = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name)
  expect(names.toSorted()).toEqual(['Known', 'Made'])
})
