import { test } from 'vitest'
import { type Answer, buildTestApp } from '../../../../test/build-app.ts'
import { createProspect, endProspect, type ListPage, type Refusal, walk } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { type Business, limits } from '../businesses.schema.ts'

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  const path = `/businesses/${id}`
  const block = (reason: unknown) => operator.post<Business & Refusal>(`${path}/do-not-contact`, { reason })
  return { t, operator, id, path, block }
}

test('a block is written at once with actor, time and reason, recorded, and nothing else changes', async ({
  expect,
}) => {
  const { t, operator, id, path, block } = await setUp()
  t.clock.advance(1_000)
  const answers: Answer<Business>[] = []
  const changes = await t.changes(async () => {
    answers.push(await block('The owner asked us in writing.'))
  })
  expect(changes).toEqual({ businesses: 0, business_counts: 1, audit_events: 1 })
  const { users } = t.tenants.home
  const by = { kind: 'user', id: users.operator.id, name: users.operator.name }
  const doNotContact = { at: t.clock().toISOString(), by, reason: 'The owner asked us in writing.', through: 'hand' }
  expect(answers).toMatchObject([
    { status: 200, headers: { etag: '"2"' }, body: { id, version: 2, doNotContact, pipelineState: 'new' } },
  ])
  expect((await operator.get<Business>(path)).body.doNotContact).toEqual(doNotContact)
  expect((await operator.get<ListPage<AuditEvent>>(`${path}/activity`)).body.items[0]).toMatchObject({
    action: 'business.block',
    subject: { type: 'business', id },
    actor: by,
    before: { doNotContact: false },
    after: { doNotContact: true },
    reason: 'The owner asked us in writing.',
    correlationId: answers[0]?.headers['x-request-id'],
  })
})

test('a prospect can be created as do not contact, in one change and with the same event as a later block', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const body = { name: 'From a list', doNotContact: { reason: 'The list says: stop.' } }
  const answers: Answer<Business>[] = []
  const changes = await t.changes(async () => {
    answers.push(await operator.post<Business>('/businesses', body))
  })
  expect(changes).toMatchObject({ businesses: 1, audit_events: 2 })
  const [created] = answers
  expect(created).toMatchObject({
    status: 201,
    headers: { etag: `"${created?.body.version}"` },
    body: { doNotContact: { reason: 'The list says: stop.', through: 'hand' }, pipelineState: 'new' },
  })
  const path = `/businesses/${created?.body.id}`
  expect((await operator.get<Business>(path)).body.doNotContact).toEqual(created?.body.doNotContact)
  const events = (await operator.get<ListPage<AuditEvent>>(`${path}/activity`)).body.items
  expect(events.map(({ action, reason }) => [action, reason ?? null])).toEqual([
    ['business.block', 'The list says: stop.'],
    ['business.create', null],
  ])
  const refused = await operator.post<Refusal>('/businesses', { name: 'X', doNotContact: { reason: ' ' } })
  expect(refused.status).toBe(400)
})

test('a record that is already blocked keeps its first reason, and nothing is written', async ({ expect }) => {
  const { t, operator, block } = await setUp()
  const { body: first } = await block('First.')
  const manager = await t.as('manager')
  const answers: Answer<Business>[] = []
  expect(
    await t.changes(async () => {
      answers.push(await block('Second.'))
      answers.push(await manager.post<Business>(`/businesses/${first.id}/do-not-contact`, { reason: 'Third.' }))
    }),
  ).toEqual({})
  for (const { status, body } of answers) expect([status, body]).toEqual([200, first])
  expect((await operator.get<Business>(`/businesses/${first.id}`)).body).toEqual(first)
})

test('a block needs a reason, and nothing changes without one', async ({ expect }) => {
  const { t, block } = await setUp()
  const answers: Answer<Refusal>[] = []
  expect(
    await t.changes(async () => {
      for (const reason of [undefined, null, '', '  \n', 'bell \u0007', 'x'.repeat(limits.reasonLength + 1)])
        answers.push(await block(reason))
    }),
  ).toEqual({})
  expect(answers.map(({ status, body }) => [status, body.errors?.[0]?.path])).toEqual(
    answers.map(() => [400, 'reason']),
  )
})

test('only an authorized removal lifts a block: no edit, no move, no deletion', async ({ expect }) => {
  const { operator, path, block } = await setUp()
  const { body: blocked } = await block('They asked.')
  await operator.patch(path, { name: 'Renamed' }, { 'if-match': '"2"' })
  await operator.post(`${path}/pipeline-transitions`, { to: 'contacted' })
  for (const ask of [operator.delete(`${path}/do-not-contact`), operator.patch(`${path}/do-not-contact`, {})])
    expect((await ask).status).toBe(404)
  expect((await operator.get<Business>(path)).body.doNotContact).toEqual(blocked.doNotContact)
})

test('a blocked prospect is marked wherever it is shown: list, search, filter, duplicate hint', async ({ expect }) => {
  const { operator, id, path, block } = await setUp()
  await operator.patch(path, { emails: [{ value: 'a@karoo.co.za' }] }, { 'if-match': '"1"' })
  await block('They asked.')
  await createProspect(operator, { name: 'Open' })
  type Row = { id: string; doNotContact: boolean }
  const rows = async (query: string) =>
    (await walk<Row>(operator, `/businesses?${query}`)).filter((row) => row.id === id).map((row) => row.doNotContact)
  for (const query of ['', 'q=windpumps', 'q=ka', 'doNotContact=true', 'state=new'])
    expect([query, await rows(query)]).toEqual([query, [true]])
  expect(await rows('doNotContact=false')).toEqual([])
  const { body } = await operator.post<{ items: Row[] }>('/businesses/duplicate-checks', { emails: ['A@karoo.co.za'] })
  expect(body.items).toMatchObject([{ id, doNotContact: true }])
})

test('the activity of a prospect has all its events, newest first, and none of other prospects', async ({ expect }) => {
  const { t, operator, id, path, block } = await setUp()
  const neighbour = await createProspect(operator)
  await operator.patch(path, { industry: 'Irrigation' }, { 'if-match': '"1"' })
  await operator.post(`${path}/notes`, { text: 'Called.' })
  await operator.post(`/businesses/${neighbour.id}/notes`, { text: 'Called.' })
  await operator.post(`${path}/pipeline-transitions`, { to: 'contacted' })
  await block('They asked.')
  const viewer = await t.as('viewer')
  const events = await walk<AuditEvent>(viewer, `${path}/activity`, 2)
  expect(events.map(({ action }) => action)).toEqual([
    'business.block',
    'pipeline.move',
    'note.add',
    'business.edit',
    'business.create',
  ])
  expect(new Set(events.map(({ businessId }) => businessId))).toEqual(new Set([id]))
})

test('a block by hand of a merged record appears in the activity of every record that it reached, also if an entry blocked it before', async ({
  expect,
}) => {
  const { t, operator, id, block } = await setUp()
  const emails = [{ value: 'jan@karoo.co.za' }]
  const [middle, top] = [await createProspect(operator), await createProspect(operator, { emails })]
  await operator.post('/suppressions', { kind: 'email', ...emails[0], reason: 'They asked.', channel: 'email' })
  await endProspect(t, id, { status: 'merged', into: middle.id })
  await endProspect(t, middle.id, { status: 'merged', into: top.id })
  expect((await block('By hand.')).status).toBe(200)
  for (const [one, wasHeld] of [
    [middle.id, false],
    [top.id, true],
  ] as const)
    expect(await walk<AuditEvent>(operator, `/businesses/${one}/activity`)).toContainEqual(
      expect.objectContaining({
        action: 'business.block',
        businessId: one,
        before: { doNotContact: wasHeld },
        after: { doNotContact: true, carriedFrom: id },
        reason: 'By hand.',
      }),
    )
})

test('a block by hand of a merged record does not appear again on a record that was already blocked by hand', async ({
  expect,
}) => {
  const { t, operator, id, block } = await setUp()
  const survivor = await createProspect(operator)
  await operator.post(`/businesses/${survivor.id}/do-not-contact`, { reason: 'First.' })
  await endProspect(t, id, { status: 'merged', into: survivor.id })
  expect((await block('Second.')).status).toBe(200)
  const events = await walk<AuditEvent>(operator, `/businesses/${survivor.id}/activity`)
  const blocks = events.filter(({ action, businessId }) => action === 'business.block' && businessId === survivor.id)
  expect(blocks.map(({ reason }) => reason)).toEqual(['First.'])
})
