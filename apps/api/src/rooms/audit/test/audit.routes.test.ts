import { createPublicKey, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { pino } from 'pino'
import { test } from 'vitest'
import type { z } from 'zod'
import { createTestToken } from '../../../../test/access-tokens.ts'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { createProspect, type Problem } from '../../../../test/prospects.ts'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import { runVerifiers } from '../../../../test/verifiers.ts'
import type { Page } from '../../../http/pagination.ts'
import type { Actor } from '../../../lib/actor.ts'
import type { AuditAction } from '../../../lib/declared.ts'
import { sha256OfBytes } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { type AuditEntry, change } from '../../../store/change/change.ts'
import type { AuditEvent, auditHeadsSchema, auditInclusionSchema } from '../audit.schema.ts'
import { createCheckpointer } from '../checkpoints/checkpointer.ts'

type Entry = Omit<AuditEntry, 'action'>
type Events = Page<AuditEvent>
type Inclusion = z.infer<typeof auditInclusionSchema>
type AuditHeads = z.infer<typeof auditHeadsSchema>

/** Records a change by the tenant's manager, at the present time of the test clock. */
async function record(t: TestApp, action: AuditAction, entry: Entry, tenant: 'home' | 'other' = 'home'): Promise<void> {
  const { id: tenantId, users } = t.tenants[tenant]
  const actor: Actor = {
    kind: 'user',
    userId: users.manager.id,
    tenantId,
    correlationId: newId(),
    permissions: new Set(),
  }
  await change(t.store, actor, { permission: null, action }, (tx) => tx.record(entry))
}

const aboutBusiness = (id: string): Entry => ({ subject: { type: 'business', id }, businessId: id })
const aboutNote = (id: string, businessId: string): Entry => ({ subject: { type: 'note', id }, businessId })

const sequences = ({ items }: Events) => items.map(({ sequence }) => sequence)

test('the audit of the tenant is listed newest first, with current names and the exact total', async ({ expect }) => {
  const t = await buildTestApp()
  const businessId = newId()
  const manager = await t.as('manager')
  const before = (await manager.get<Events>('/audit-events')).body.page.total?.value ?? 0
  await record(t, 'business.edit', {
    ...aboutBusiness(businessId),
    before: { name: 'Ou Naam' },
    after: { name: 'Nuwe Naam' },
    reason: 'They told us.',
  })

  const { status, body } = await manager.get<Events>('/audit-events')
  expect(status).toBe(200)
  expect(body.items[0]).toMatchObject({
    sequence: before + 1,
    at: t.clock().toISOString(),
    actor: { kind: 'user', id: t.tenants.home.users.manager.id, name: t.tenants.home.users.manager.name },
    action: 'business.edit',
    subject: { type: 'business', id: businessId },
    businessId,
    before: { name: 'Ou Naam' },
    after: { name: 'Nuwe Naam' },
    reason: 'They told us.',
  })
  expect(body.items.at(-1)).toMatchObject({
    sequence: 1,
    action: 'tenant.create',
    actor: { kind: 'system', name: 'command line' },
  })
  expect(body.page.total).toEqual({ value: before + 1, counts: 'matching_set', asOf: t.clock().toISOString() })
})

test('events of one business are listed with those of its records, and by the field that they changed', async ({
  expect,
}) => {
  const t = await buildTestApp()
  const [businessId, otherId] = [newId(), newId()]
  const phone = (value: string) => ({ phones: [{ value, label: null }] })
  await record(t, 'business.create', {
    ...aboutBusiness(businessId),
    after: { name: 'Karoo', ...phone('021 555 0100') },
  })
  await record(t, 'business.edit', {
    ...aboutBusiness(businessId),
    before: phone('021 555 0100'),
    after: { phones: [] },
  })
  await record(t, 'business.edit', { ...aboutBusiness(businessId), before: { city: null }, after: { city: 'Paarl' } })
  await record(t, 'business.edit', { ...aboutBusiness(businessId), after: { merged: phone('021 555 0100') } })
  await record(t, 'note.add', aboutNote(newId(), businessId))
  await record(t, 'business.edit', { ...aboutBusiness(otherId), after: phone('021 555 0199') })
  const manager = await t.as('manager')
  const actions = async (query: string) => {
    const { body } = await manager.get<Events>(`/audit-events?${query}`)
    expect(body.page.total?.value).toBe(body.items.length)
    return body.items.map(({ action }) => action)
  }
  const own = `businessId=${businessId}`
  expect(await actions(own)).toEqual(['note.add', 'business.edit', 'business.edit', 'business.edit', 'business.create'])
  expect(await actions(`${own}&field=phones`)).toEqual(['business.edit', 'business.create'])
  expect(await actions(`${own}&field=phones&action=business.edit`)).toEqual(['business.edit'])
  expect(await actions(`${own}&field=city`)).toEqual(['business.edit'])
  expect(await actions(`${own}&field=fax`)).toEqual([])
  expect(await actions(`${own}&subjectType=note`)).toEqual(['note.add'])
  expect(await actions(`businessId=${newId()}`)).toEqual([])
  for (const [query, path] of [
    ['field=phones', 'businessId'],
    [`${own}&field=${encodeURIComponent("phones' OR 1")}`, 'field'],
  ]) {
    const { status, body } = await manager.get<Problem>(`/audit-events?${query}`)
    expect([status, body.errors?.[0]?.path]).toEqual([400, path])
  }
})

test('pages join without a gap or a repetition, with and without a filter', async ({ expect }) => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  for (let day = 0; day < 7; day++) {
    t.clock.advance(day % 2 === 0 ? 1_000 : 0)
    await record(t, 'business.edit', aboutBusiness(newId()))
  }
  for (const filter of [
    '',
    '&action=business.edit',
    `&actor=${t.tenants.home.users.manager.id}`,
    '&subjectType=business',
  ]) {
    const all = (await manager.get<Events>(`/audit-events?limit=200${filter}`)).body
    const paged: number[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Events = (
        await manager.get<Events>(`/audit-events?limit=3${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).body
      paged.push(...sequences(page))
      cursor = page.page.nextCursor
    }
    expect(paged).toEqual(sequences(all))
    expect(paged.length).toBeGreaterThanOrEqual(7)
  }
})

test('filters by actor, action, subject and time match exactly those events', async ({ expect }) => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const [businessId, otherBusiness, noteId] = [newId(), newId(), newId()]
  const find = async (query: string) =>
    (await manager.get<Events>(`/audit-events?${query}`)).body.items.map(({ action }) => action)

  t.clock.advance(60_000)
  const from = t.clock().toISOString()
  await record(t, 'business.create', aboutBusiness(businessId))
  await record(t, 'business.create', aboutBusiness(otherBusiness))
  t.clock.advance(60_000)
  const to = t.clock().toISOString()
  await record(t, 'note.add', aboutNote(noteId, businessId))

  expect(await find(`subjectId=${businessId}`)).toEqual(['business.create'])
  expect(await find(`subjectType=business&subjectId=${businessId}`)).toEqual(['business.create'])
  expect(await find(`subjectType=note&subjectId=${businessId}`)).toEqual([])
  expect(await find(`subjectType=note&subjectId=${noteId}`)).toEqual(['note.add'])
  expect(await find(`subjectId=${noteId}`)).toEqual(['note.add'])
  expect(await find('subjectType=note')).toEqual(['note.add'])
  expect(await find(`from=${from}&to=${to}`)).toEqual(['business.create', 'business.create'])
  expect(await find(`from=${to}`)).toEqual(['note.add'])
  expect(await find(`action=business.create&from=${to}`)).toEqual([])
  expect(await find('action=tenant.create')).toEqual(['tenant.create'])
  expect(await find('actor=command+line&action=note.add')).toEqual([])
  expect(await find(`actor=${newId()}`)).toEqual([])
})

test('one event is found by its id, only in its own tenant', async ({ expect }) => {
  const t = await buildTestApp()
  await record(t, 'business.create', aboutBusiness(newId()), 'other')
  const theirs = (await (await t.as('manager', 'other')).get<Events>('/audit-events?limit=1')).body.items[0]
  const manager = await t.as('manager')
  const [ours] = (await manager.get<Events>('/audit-events?limit=1')).body.items

  expect(await manager.get(`/audit-events/${ours?.id}`)).toMatchObject({ status: 200, body: ours })
  const foreign = await manager.get<object>(`/audit-events/${theirs?.id}`)
  const missing = await manager.get<object>(`/audit-events/${newId()}`)
  expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  expect((await manager.get<Events>(`/audit-events?subjectId=${theirs?.subject.id}`)).body.items).toEqual([])
})

test('only roles with the permission read or verify the audit, and reading changes nothing', async ({ expect }) => {
  const t = await buildTestApp()
  const paths = ['/audit-events', `/audit-events/${newId()}`, '/audit-events/verification']
  const [operator, viewer, manager] = [await t.as('operator'), await t.as('viewer'), await t.as('manager')]
  const changes = await t.changes(async () => {
    for (const path of paths) {
      expect(await t.visitor().get(path)).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
      expect(await operator.get(path)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
      expect(await viewer.get(path)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    }
    expect(await manager.get('/audit-events')).toMatchObject({ status: 200 })
    expect(await manager.get('/audit-events/verification')).toMatchObject({ status: 200 })
  })
  expect(changes).toEqual({})
})

test.for([
  ['limit=0', 'limit'],
  ['limit=201', 'limit'],
  ['cursor=forged', 'cursor'],
  ['from=yesterday', 'from'],
  ['actor=', 'actor'],
  ['who=me', 'who'],
] as const)('a list with %s is refused', async ([query, path], { expect }) => {
  const t = await buildTestApp()
  const answer = await (await t.as('manager')).get(`/audit-events?${query}`)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } })
})

test('a cursor is valid for its own filter only', async ({ expect }) => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  await record(t, 'business.create', aboutBusiness(newId()))
  const { nextCursor } = (await manager.get<Events>('/audit-events?limit=1')).body.page
  const answer = await manager.get(`/audit-events?limit=1&action=business.create&cursor=${nextCursor}`)
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_cursor' }] } })
})

test('the chain that the routes wrote is intact', async ({ expect }) => {
  const t = await buildTestApp()
  await record(t, 'business.create', aboutBusiness(newId()))
  const manager = await t.as('manager')
  const total = (await manager.get<Events>('/audit-events')).body.page.total?.value
  expect(await manager.get('/audit-events/verification')).toMatchObject({
    status: 200,
    body: {
      status: 'intact',
      checkedEvents: total,
      fromSequence: 1,
      toSequence: total,
      nextAfter: null,
      firstBroken: null,
    },
  })
  for (const after of ['1e6', '0x1', '-1', ''])
    expect(await manager.get(`/audit-events/verification?after=${after}`)).toMatchObject({ status: 400 })
  expect(await manager.get('/audit-events/verification?after=1000000')).toMatchObject({
    status: 409,
    body: { code: 'cursor_ahead', newestSequence: expect.any(Number) },
  })
})

test('an event shows the current name of its business', async ({ expect }) => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const { body: made } = await manager.post<{ id: string }>('/businesses', { name: 'Karoo Solar' })
  await manager.patch(`/businesses/${made.id}`, { name: 'Karoo Solar & Wind' }, { 'if-match': '"1"' })
  const { body } = await manager.get<Events>(`/audit-events?subjectId=${made.id}`)
  expect(body.items.map(({ action, businessName }) => [action, businessName])).toEqual([
    ['business.edit', 'Karoo Solar & Wind'],
    ['business.create', 'Karoo Solar & Wind'],
  ])
})

test('an event names its subject: a user, or the invited person while the invitation is open', async ({ expect }) => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const { operator } = t.tenants.home.users
  await record(t, 'session.revoke', { subject: { type: 'user', id: operator.id } })
  const invitee = { email: 'thandiwe@karoo.co.za', name: 'Thandiwe Nkosi', role: 'operator' }
  await administrator.post('/users', invitee)
  const subjects = async () => {
    const { items } = (await administrator.get<Events>('/audit-events?limit=20')).body
    return items
      .filter(({ subject: { type } }) => type !== 'session')
      .map(({ subject: { type, name } }) => [type, name])
  }
  expect((await subjects()).slice(0, 2)).toEqual([
    ['invitation', 'Thandiwe Nkosi'],
    ['user', operator.name],
  ])
  const { body: invitations } = await administrator.get<Page<{ id: string }>>('/invitations')
  await administrator.delete(`/invitations/${invitations.items[0]?.id}`)
  expect((await subjects()).slice(0, 2)).toEqual([
    ['invitation', null],
    ['invitation', null],
  ])
})

test('every action and every subject has one label, for every member; a filter by another action is refused', async ({
  expect,
}) => {
  const t = await buildTestApp()
  type Labels = { items: { action: string; label: string }[]; subjects: { type: string; label: string }[] }
  const { status, body } = await (await t.as('viewer')).get<Labels>('/audit-actions')
  expect(status).toBe(200)
  expect(body.items).toContainEqual({ action: 'note.add', label: 'Note added', isSecurity: false })
  expect(body.subjects).toContainEqual({ type: 'draft', label: 'Draft' })
  for (const labels of [body.items, body.subjects])
    expect(new Set(labels.map(({ label }) => label)).size).toBe(labels.length)
  const refused = await (await t.as('manager')).get<Problem>('/audit-events?action=note.burn')
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'action' }] } })
  expect((await t.visitor().get('/audit-actions')).status).toBe(401)
})

test('the head of the own chain is signed by the stated key, also for a token', async ({ expect }) => {
  const t = await buildTestApp()
  const { client } = await createTestToken(t, { role: 'manager', permissions: ['audit.verify'] })
  const { body } = await client.get<AuditHeads>('/audit-heads')
  const [head] = body.items
  if (head === undefined) throw new Error('The chain has an event.')
  const newest = await t.store.reader
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', t.tenants.home.id)
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow()
  expect(body.items).toMatchObject([{ tenant: t.tenants.home.id, ...newest, at: t.clock().toISOString() }])
  const publicKey = createPublicKey(body.publicKey)
  expect(head.keyId).toBe(sha256OfBytes(publicKey.export({ type: 'spki', format: 'der' })))
  const { signature, ...unsigned } = head
  const signed = Buffer.from(canonicalize(['prospect-platform audit head', unsigned]) ?? '')
  expect(verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
})

test('the inclusion of an event shows its place without any content, and both verifiers prove it', {
  timeout: 60_000,
}, async ({ expect }) => {
  const t = await buildTestApp()
  const [operator, manager] = [await t.as('operator'), await t.as('manager')]
  const { id: businessId } = await createProspect(operator, { name: 'Umzimkhulu Plumbing' })
  await createProspect(operator)
  const { body: activity } = await manager.get<Events>(`/audit-events?businessId=${businessId}`)
  const event = activity.items.at(-1)
  if (event === undefined) throw new Error('The creation was recorded.')
  const ask = () => manager.get<Inclusion & Problem>(`/audit-events/${event.id}/inclusion`)
  expect(await ask()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('No signed checkpoint') } })
  await createCheckpointer(t.store, pino({ level: 'silent' })).signWhatIsNew()
  const before = (await ask()).body
  expect(before).toMatchObject({ eventId: event.id, sequence: event.sequence, hash: event.hash })
  expect(before.lines).toHaveLength(before.coveredBy - event.sequence + 4)
  expect(before.lines.join('\n')).not.toContain('Umzimkhulu')
  await (await t.as('administrator')).post(`/businesses/${businessId}/erasure`, { reason: 'They asked.' })
  const erased = (await ask()).body
  expect(erased.lines.slice(1)).toEqual(before.lines.slice(1))
  const folder = temporaryFolder()
  const [file, key] = [join(folder, 'inclusion.txt'), join(folder, 'key.pem')]
  writeFileSync(file, `${erased.lines.join('\n')}\n`)
  writeFileSync(key, (await manager.get<AuditHeads>('/audit-heads')).body.publicKey)
  for (const { exitCode, said } of await runVerifiers('--key', key, file))
    expect([exitCode, said]).toEqual([0, expect.stringContaining(`an inclusion of ${before.lines.length - 3} events`)])
  expect((await manager.get<Problem>(`/audit-events/${newId()}/inclusion`)).status).toBe(404)
})
