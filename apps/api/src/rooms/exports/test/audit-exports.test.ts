import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { temporaryFolder } from '../../../../test/template-store.ts'
import { newId } from '../../../lib/ids.ts'
import { createFileWriter } from '../../../store/files/write-file.ts'
import { type AuditEvent, newestCheckpoint, signOnce } from '../../audit/audit.ts'
import { memberActor } from '../../identity/identity.ts'
import { exportJob } from '../exports.jobs.ts'
import type { Export } from '../exports.schema.ts'
import { writeAudit } from '../write-audit.ts'
import { exportBound } from '../write-export.ts'

async function setUp() {
  const world = await jobWorld([exportJob])
  const { t } = world
  const manager = await t.as('manager')
  world.work()
  const ask = (body: object = {}, client: TestClient = manager) =>
    client.post<Export>('/exports', { source: 'audit', format: 'jsonl', ...body }, { 'idempotency-key': newId() })
  const write = async (body: object = {}) => {
    const { body: asked } = await ask(body)
    expect((await world.ended(asked.jobId)).error_message).toBeNull()
    return (await manager.get<Export>(`/exports/${asked.id}`)).body
  }
  const fetch = (id: string, client: TestClient = manager) => client.get<string>(`/exports/${id}/content`)
  const written = async (body: object = {}) => (await fetch((await write(body)).id)).body
  const block = (businessId: string) =>
    manager.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They asked.' }, { 'idempotency-key': newId() })
  return { ...world, manager, ask, write, fetch, written, block }
}

type Line = { audit?: { filter: object }; checkpoint?: object | null; event?: AuditEvent }
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('an export of the audit contains the events of the filtered list, and the newest checkpoint', async () => {
  const { t, operator, manager, write, fetch } = await setUp()
  const { id } = await createProspect(operator, { name: 'Karoo Windpumps' })
  await createProspect(operator, { name: 'Elsewhere' })
  await signOnce(t.store, { warn: () => {} })
  const checkpoint = await newestCheckpoint(t.store, t.tenants.home.id)
  const auditFilter = { businessId: id, action: 'business.create' }
  const made = await write({ auditFilter })
  expect(made).toMatchObject({
    source: 'audit',
    status: 'ready',
    auditFilter,
    filter: [],
    file: { rows: 1, leftOut: 0 },
  })
  const [head, line, ...others] = linesOf((await fetch(made.id)).body)
  expect(others).toEqual([])
  expect(checkpoint).toMatchObject({ tenantId: t.tenants.home.id, signature: expect.any(String) })
  expect(head).toEqual({ audit: { filter: auditFilter }, checkpoint })
  const { items } = (
    await manager.get<{ items: AuditEvent[] }>(`/audit-events?businessId=${id}&action=business.create`)
  ).body
  const { sequence, at, actor, businessName } = items[0] as AuditEvent
  expect(line?.event).toMatchObject({ sequence, at, actor, businessName, action: 'business.create' })
  expect(line?.event).not.toHaveProperty('previousHash')
})

test('a whole export has every event once, newest first, and a CSV file the same events in guarded cells', async () => {
  const { operator, manager, written } = await setUp()
  await createProspect(operator, { name: '=SUM(1)' })
  const { total } = (await manager.get<{ page: { total: { value: number } } }>('/audit-events')).body.page
  const [, ...events] = linesOf(await written())
  const numbers = events.map(({ event }) => event?.sequence ?? 0)
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
  expect([numbers.at(-1), new Set(numbers).size]).toEqual([1, numbers.length])
  expect(numbers.length).toBeGreaterThanOrEqual(total.value)
  const csv = await written({ format: 'csv', auditFilter: { action: 'business.create' } })
  expect(csv).toMatch(/^\uFEFF"number","at","actor",/)
  expect(csv).toContain('"\'=SUM(1)"')
  const local = await written({ format: 'csv', spreadsheet: { separator: 'semicolon', decimal: 'comma' } })
  expect(local).toMatch(/^\uFEFF"number";"at \(/)
})

test('no contact value and no hash of one is in the file, and no reason of a record that is do not contact', async () => {
  const { operator, manager, written, block } = await setUp()
  const contacts = { emails: [{ value: 'anna@karoo.co.za' }], phones: [{ value: '082 555 0112', region: 'ZA' }] }
  const { id } = await createProspect(operator, { ...contacts, domains: [{ value: 'karoo.co.za' }] })
  const reason = 'Closed, says anna@karoo.co.za or 082 555 0112.'
  await manager.post(`/businesses/${id}/deactivation`, { reason }, { 'if-match': '"1"' })
  const before = await written({ auditFilter: { businessId: id } })
  expect(before).toContain('Closed, says')
  await manager.post(
    '/suppressions',
    { kind: 'email', value: 'ben@hantam.co.za', reason: 'Ben asked: ben@hantam.co.za.', channel: 'phone' },
    { 'idempotency-key': newId() },
  )
  await block(id)
  const text = await written()
  for (const file of [before, text]) {
    expect(file).not.toMatch(/karoo\.co\.za|hantam|82 ?555|825550112/)
    for (const { event } of linesOf(file)) {
      const isHidden = JSON.stringify([event?.before, event?.after, event?.reason]).includes('•••')
      expect([event?.sequence, isHidden && event?.hash !== '•••']).toEqual([event?.sequence, false])
    }
  }
  expect(text).not.toContain('Closed, says')
  expect(text).not.toContain('They asked.')
})

test('a file is refused once a record in it is do not contact, and deleted by an erasure', async () => {
  const { t, operator, write, fetch, block } = await setUp()
  const [blocked, erased] = [await createProspect(operator), await createProspect(operator)]
  const [first, other, third] = [
    await write({ auditFilter: { businessId: blocked.id } }),
    await write({ auditFilter: { businessId: erased.id } }),
    await write({ auditFilter: { action: 'export.request' } }),
  ]
  expect((await fetch(first.id)).status).toBe(200)
  await block(blocked.id)
  expect((await fetch(first.id)).status).toBe(409)
  expect((await fetch(other.id)).status).toBe(200)
  const administrator = await t.as('administrator')
  await administrator.post(`/businesses/${erased.id}/erasure`, { reason: 'Asked.' }, { 'idempotency-key': newId() })
  expect([(await fetch(other.id)).status, (await fetch(third.id)).status]).toEqual([410, 410])
})

test('an Idempotency-Key is in the file of the person who sent it only', async () => {
  const { t, manager, written, fetch, ask, ended } = await setUp()
  const own = newId()
  const { id } = await createProspect(manager)
  await manager.post(`/businesses/${id}/pipeline-transitions`, { to: 'contacted' }, { 'idempotency-key': own })
  const administrator = await t.as('administrator')
  const { body: asked } = await ask({}, administrator)
  await ended(asked.jobId)
  expect((await fetch(asked.id, administrator)).body).not.toContain(own)
  const moves = linesOf(await written({ auditFilter: { businessId: id } }))
  expect(moves.map(({ event }) => event?.after?.idempotencyKey)).toContain(own)
})

test('fields of other sources are refused, and so is the audit without its permission', async () => {
  const { t, ask, operator } = await setUp()
  for (const body of [
    { filter: [{ field: 'tag', op: 'any_of', values: ['x'] }] },
    { suppressed: 'mark' },
    { reportId: newId() },
    { source: 'prospects', auditFilter: {} },
    { auditFilter: { field: 'phones' } },
    { auditFilter: { action: 'unknown.action' } },
  ])
    expect([body, (await ask(body)).status]).toEqual([body, 400])
  expect((await ask({}, operator)).status).toBe(403)
  const { id: tenantId, users } = t.tenants.home
  const actor = await memberActor(t.store.reader, { tenantId, userId: users.manager.id }, newId())
  if (actor === undefined) throw new Error('The manager is a member.')
  const folder = temporaryFolder()
  const content = await createFileWriter(`${folder}/content`, exportBound)
  const values = await createFileWriter(`${folder}/values`, exportBound)
  const wanted = { store: t.store, actor, filter: {}, format: 'jsonl' as const, spreadsheet: null, onPart: () => {} }
  const { signal } = new AbortController()
  const withoutAudit = { ...actor, permissions: new Set([...actor.permissions].filter((one) => one !== 'audit.read')) }
  await expect(writeAudit({ ...wanted, actor: withoutAudit, signal }, { content, values })).rejects.toMatchObject({
    code: 'permission_denied',
  })
  await expect(writeAudit({ ...wanted, signal, maxEvents: 2 }, { content, values })).rejects.toMatchObject({
    code: 'too_large',
  })
  await Promise.all([content.close(), values.close()])
})
