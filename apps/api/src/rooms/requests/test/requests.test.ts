import { expect, test } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { createProspect, type ListPage, type Refusal } from '../../../../test/prospects.ts'
import { marksInTables } from '../../../../test/remains.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { probe } from '../../health/probe.ts'
import { migrations } from '../../migrations.ts'
import type { ListedRequest, SubjectRequest } from '../requests.schema.ts'

const person = { name: 'Quagga Nkosi', contact: 'quagga@zonkey.example' }

const entry = (more: object = {}) => ({
  kind: 'access',
  receivedAt: '2026-11-02T08:00:00Z',
  requester: person,
  ...more,
})

async function enter(client: TestClient, more: object = {}): Promise<SubjectRequest> {
  const { status, body } = await client.post<SubjectRequest>('/subject-requests', entry(more))
  expect([status, status === 201 ? null : body]).toEqual([201, null])
  return body
}

const read = async (client: TestClient, id: string) =>
  (await client.get<SubjectRequest>(`/subject-requests/${id}`)).body

async function listed(client: TestClient, state: string): Promise<string[]> {
  const { body } = await client.get<ListPage<ListedRequest>>(`/subject-requests?state=${state}`)
  expect(body.page.total?.value).toBe(body.items.length)
  return body.items.map(({ id }) => id)
}

async function codeOf(answer: Promise<{ status: number; body: unknown }>): Promise<[number, string]> {
  const { status, body } = await answer
  return [status, (body as Refusal).code]
}

async function setUp(): Promise<{ t: TestApp; manager: TestClient; operator: TestClient; administrator: TestClient }> {
  const t = await buildTestApp()
  return {
    t,
    manager: await t.as('manager'),
    operator: await t.as('operator'),
    administrator: await t.as('administrator'),
  }
}

test('a request is due 30 days after the day of the workspace on which it was received', async () => {
  const { manager, administrator } = await setUp()
  const { body } = await administrator.get<{ version: number }>('/tenant')
  const zone = { timeZone: 'Pacific/Auckland' }
  expect((await administrator.patch('/tenant', zone, { 'if-match': `"${body.version}"` })).status).toBe(200)
  expect((await enter(manager, { receivedAt: '2026-11-02T08:00:00Z' })).dueOn).toBe('2026-12-02')
  expect((await enter(manager, { receivedAt: '2026-11-02T12:00:00Z' })).dueOn).toBe('2026-12-03')
  expect(await codeOf(manager.post('/subject-requests', entry({ receivedAt: '2029-01-01T00:00:00Z' })))).toEqual([
    400,
    'invalid_request',
  ])
})

test('open requests are listed by their due day, overdue ones are counted by the tile, the dashboard and the probe', async () => {
  const t = await buildTestApp()
  const late = await enter(await t.as('manager'))
  t.clock.advance(20 * DAY_MS)
  const earlier = await freshClient(t, 'manager')
  const early = await enter(earlier, { receivedAt: '2026-10-25T08:00:00Z' })
  const next = await enter(earlier, { receivedAt: t.clock().toISOString() })
  expect(await listed(earlier, 'open')).toEqual([early.id, late.id, next.id])
  t.clock.advance(20 * DAY_MS)
  const [manager, operator] = [await freshClient(t, 'manager'), await freshClient(t, 'operator')]
  expect(await listed(manager, 'overdue')).toEqual([early.id, late.id])
  expect(await listed(manager, 'upcoming')).toEqual([next.id])
  const first = await manager.get<ListPage<ListedRequest>>('/subject-requests?limit=1')
  const second = await manager.get<ListPage<ListedRequest>>(
    `/subject-requests?limit=1&cursor=${first.body.page.nextCursor}`,
  )
  expect([...first.body.items, ...second.body.items].map(({ id }) => id)).toEqual([early.id, late.id])

  type Tile = { status: string; value: number | null; parts: { key: string; value: number }[] }
  const tile = async (client: TestClient, key: string) => (await client.get<Tile>(`/dashboard/tiles/${key}`)).body
  expect((await tile(manager, 'subject_requests')).parts).toMatchObject([
    { key: 'overdue', value: 2 },
    { key: 'upcoming', value: 1 },
  ])
  expect((await tile(manager, 'waiting')).parts).toMatchObject([{ key: 'subject_requests', value: 2 }])
  expect((await tile(operator, 'subject_requests')).status).toBe('not_allowed')
  const keysOf = async (client: TestClient) =>
    (await client.get<{ tiles: { key: string }[] }>('/dashboard')).body.tiles.map(({ key }) => key)
  expect(await keysOf(manager)).toContain('subject_requests')
  expect(await keysOf(operator)).not.toContain('subject_requests')

  const { dataDir } = t.store
  const unreachable = { apiUrl: 'http://127.0.0.1:1', webUrl: 'http://127.0.0.1:1' }
  const where = { migrations, dataDir, shelf: dataDir, withRecords: false, ...unreachable }
  const finding = async () => (await probe(where, t.clock)).find(({ check }) => check === 'subject requests')
  expect(await finding()).toMatchObject({ standing: 'warning', found: expect.stringMatching(/: 2$/) })
  for (const { id } of [early, late])
    expect(
      (await manager.post(`/subject-requests/${id}/answer`, { outcome: 'granted', how: 'By letter.' })).status,
    ).toBe(200)
  expect(await finding()).toMatchObject({ standing: 'ok' })
  expect(await listed(manager, 'answered')).toEqual([early.id, late.id].toSorted().toReversed())
})

test('a request is extended once, by at most 30 days, and an answered one is not changed', async () => {
  const { manager } = await setUp()
  const { id, dueOn, version } = await enter(manager)
  const path = `/subject-requests/${id}`
  const extend = (day: string) => manager.post(`${path}/extension`, { dueOn: day, reason: 'Paper files.' })
  for (const day of [dueOn, '2027-01-02']) expect(await codeOf(extend(day))).toEqual([400, 'invalid_request'])
  expect((await extend('2027-01-01')).body).toMatchObject({ dueOn: '2027-01-01', extension: { from: dueOn } })
  expect(await codeOf(extend('2027-01-01'))).toEqual([409, 'subject_request_extended'])
  const edit = (etag: number) => manager.patch(path, { identityCheck: 'Passport.' }, { 'if-match': `"${etag}"` })
  expect(await codeOf(edit(version))).toEqual([412, 'version_conflict'])
  expect((await edit(version + 1)).body).toMatchObject({ identityCheck: 'Passport.' })
  const answer = () => manager.post(`${path}/answer`, { outcome: 'refused', how: 'By letter.' })
  expect((await answer()).body).toMatchObject({ status: 'answered', answer: { outcome: 'refused' } })
  for (const again of [answer(), edit(version + 3)])
    expect(await codeOf(again)).toEqual([409, 'subject_request_answered'])
})

test('an answer names acts on the prospect, and no other events', async () => {
  const { manager, operator } = await setUp()
  const { id: businessId } = await createProspect(operator, { emails: [{ value: person.contact }] })
  const { id: other } = await createProspect(operator)
  const { id } = await enter(manager, { kind: 'objection', businessId })
  for (const one of [businessId, other])
    expect((await manager.post(`/businesses/${one}/do-not-contact`, { reason: 'They asked.' })).status).toBe(200)
  const { foundActs } = await read(manager, id)
  expect(foundActs.map(({ action }) => action)).toEqual(['business.block'])
  const events = await manager.get<ListPage<{ id: string; action: string }>>(`/audit-events?businessId=${other}`)
  const act = (eventId: string | undefined) =>
    manager.post<SubjectRequest>(`/subject-requests/${id}/answer`, {
      outcome: 'granted',
      how: 'By phone.',
      acts: [eventId],
    })
  const foreign = events.body.items.find(({ action }) => action === 'business.block')?.id
  for (const wrong of [foreign, newId(), 'x']) expect(await codeOf(act(wrong))).toEqual([400, 'invalid_request'])
  const { body } = await act(foundActs[0]?.eventId)
  expect(body.acts).toMatchObject([{ action: 'business.block', label: 'Do not contact' }])
  expect(body.foundActs).toEqual([])
})

test('an erasure empties the requests about the prospect and those from its values, and leaves their records', async () => {
  const { t, manager, operator, administrator } = await setUp()
  const { id: businessId } = await createProspect(operator, { name: 'Karoo', emails: [{ value: person.contact }] })
  const about = await enter(manager, { businessId, identityCheck: 'Quagga called.' })
  await manager.post(`/subject-requests/${about.id}/extension`, { dueOn: '2026-12-10', reason: 'Quagga.' })
  await manager.post(`/subject-requests/${about.id}/answer`, { outcome: 'granted', how: 'To Quagga.' })
  const from = await enter(manager, { requester: { name: 'Quagga', contact: 'QUAGGA@Zonkey.example' } })
  const free = await enter(manager, { requester: { name: 'Somebody', contact: 'other@zonkey.example' } })
  const mark = ['quagga']
  expect(Object.keys(marksInTables(t.store.dataDir, mark))).toContain('subject_requests')
  const { status, body } = await administrator.post(`/businesses/${businessId}/erasure`, { reason: 'Asked.' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ erased: { subjectRequests: 2 } })
  await t.store.writes.idle()
  expect(marksInTables(t.store.dataDir, mark)).toEqual({})
  expect(await read(manager, about.id)).toMatchObject({
    requester: { name: 'Erased.', contact: null },
    identityCheck: 'Erased.',
    business: { id: businessId, isErased: true },
    extension: { reason: 'Erased.' },
    answer: { outcome: 'granted', how: 'Erased.' },
    emptiedAt: expect.any(String),
  })
  const emptied = await read(manager, from.id)
  expect(emptied).toMatchObject({ status: 'open', requester: { name: 'Erased.', contact: null } })
  const again = manager.patch(
    `/subject-requests/${from.id}`,
    { requester: person },
    { 'if-match': `"${emptied.version}"` },
  )
  expect(await codeOf(again)).toEqual([409, 'conflict'])
  expect(emptied.foundActs).toEqual([])
  expect((await read(manager, free.id)).requester.name).toBe('Somebody')
  expect(await codeOf(manager.post('/subject-requests', entry({ businessId })))).toEqual([400, 'invalid_request'])
})

test('the contact of a request is accepted while it is suppressed, and only managers and administrators see it', async () => {
  const { manager, operator, administrator } = await setUp()
  const wanted = { kind: 'email', value: person.contact, reason: 'No.', channel: 'email' }
  expect((await operator.post('/suppressions', wanted)).status).toBe(201)
  const { id } = await enter(manager)
  for (const client of [manager, administrator]) expect((await read(client, id)).requester.contact).toBe(person.contact)
  for (const path of ['/subject-requests', `/subject-requests/${id}`])
    expect(await codeOf(operator.get(path))).toEqual([403, 'permission_denied'])
  const events = JSON.stringify((await administrator.get(`/audit-events?subjectId=${id}`)).body)
  expect(events).toContain('subject_request.add')
  expect(events).not.toMatch(/quagga/i)
})

test('a local number of the country of the workspace is read: an erasure and a collection find its requests', async () => {
  const { manager, operator, administrator } = await setUp()
  const contact = '082 123 4567'
  const { id: businessId } = await createProspect(operator, { phones: [{ value: '+27 82 123 4567' }] })
  const { id, requester } = await enter(manager, { requester: { name: 'Quagga', contact } })
  expect(requester).toEqual({ name: 'Quagga', contact, contactKind: 'phone' })
  const postal = await enter(manager, { requester: { name: 'Quagga', contact: 'PO Box 1, Prince Albert' } })
  expect(postal.requester.contactKind).toBeNull()
  const edited = await manager.patch<SubjectRequest>(
    `/subject-requests/${postal.id}`,
    { requester: { name: 'Quagga', contact: '(082) 123-4567' } },
    { 'if-match': '"1"' },
  )
  expect(edited.body.requester.contactKind).toBe('phone')
  const erased = await administrator.post(`/businesses/${businessId}/erasure`, { reason: 'Asked.' })
  expect(erased.body).toMatchObject({ erased: { subjectRequests: 2 } })
  for (const one of [id, postal.id]) expect((await read(manager, one)).requester.contact).toBeNull()
})

test('a request without a prospect offers the entries of the do-not-contact list that block its contact', async () => {
  const { manager, operator } = await setUp()
  const { id } = await enter(manager, { kind: 'objection' })
  const block = (value: string) =>
    operator.post('/suppressions', { kind: 'email', value, reason: 'They asked.', channel: 'email' })
  for (const value of ['QUAGGA@zonkey.example', 'other@zonkey.example']) expect((await block(value)).status).toBe(201)
  const { foundActs } = await read(manager, id)
  expect(foundActs.map(({ action }) => action)).toEqual(['suppression.add'])
  const acts = foundActs.map(({ eventId }) => eventId)
  const answer = { outcome: 'granted', how: 'By phone.', acts }
  const { body } = await manager.post<SubjectRequest>(`/subject-requests/${id}/answer`, answer)
  expect(body.acts.map(({ eventId }) => eventId)).toEqual(acts)
})

test('an act that blocks both the prospect and the contact is offered once', async () => {
  const { manager, operator } = await setUp()
  const { id: businessId } = await createProspect(operator, { emails: [{ value: person.contact }] })
  const { id } = await enter(manager, { kind: 'objection', businessId })
  const alsoSuppress = [{ kind: 'email', value: person.contact }]
  const block = { reason: 'They asked.', alsoSuppress, channel: 'email' }
  expect((await manager.post(`/businesses/${businessId}/do-not-contact`, block)).status).toBe(200)
  const { foundActs } = await read(manager, id)
  expect(foundActs.map(({ action }) => action).toSorted()).toEqual(['business.block', 'suppression.add'])
})
