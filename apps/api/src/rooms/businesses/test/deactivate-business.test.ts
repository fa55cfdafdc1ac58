import { test } from 'vitest'
import { buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import {
  addInteractionTo,
  createProspect,
  endProspect,
  happened,
  type ListPage,
  type Refusal,
  seen,
  walk,
} from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../businesses.schema.ts'

const HOUR_MS = 3_600_000
type Row = { id: string; status: string }

async function setUp() {
  const t = await buildTestApp()
  const [operator, manager] = [await t.as('operator'), await t.as('manager')]
  const { id } = await createProspect(operator, { tags: ['Farm'], emails: [{ value: 'a@karoo.co.za' }] })
  const path = `/businesses/${id}`
  const ids = async (query = '') => (await walk<Row>(manager, `/businesses?${query}`)).map((row) => row.id)
  return { t, operator, manager, id, path, ids }
}

const reason = 'Entered twice.'

/** Sets an earlier creation time of the record, because sessions expire before the test's clock could advance that far. */
async function createdBefore({ store, clock }: TestApp, id: string, ageMs: number): Promise<void> {
  const created_at = new Date(clock().getTime() - ageMs).toISOString()
  await store.write('upkeep', async (db) => {
    await db.updateTable('businesses').set({ created_at }).where('id', '=', id).execute()
    return { keep: true, value: undefined }
  })
}

async function erase(t: TestApp, id: string): Promise<void> {
  const { status } = await (await t.as('administrator')).post(`/businesses/${id}/erasure`, { reason: 'They asked.' })
  if (status !== 200) throw new Error(`The erasure answered ${status}.`)
}

test('a deactivated record leaves lists, counts and duplicate hints, and keeps its history', async ({ expect }) => {
  const { t, operator, id, path, ids } = await setUp()
  await addInteractionTo(operator, id)
  t.clock.advance(1_000)
  const { status, headers, body } = await operator.post<Business>(`${path}/deactivation`, { reason })
  expect([status, headers.etag, body.status, body.deactivatedAt]).toEqual([
    200,
    '"2"',
    'inactive',
    t.clock().toISOString(),
  ])
  expect(await ids()).toEqual([])
  expect(await ids('q=karoo')).toEqual([])
  const { body: list } = await operator.get<ListPage<Row>>('/businesses?tag=Farm')
  expect(list.page.total).toMatchObject({ value: 0 })
  type Pipeline = { states: { count: number }[] }
  const { body: pipeline } = await operator.get<Pipeline>('/pipeline')
  expect(pipeline.states.every(({ count }) => count === 0)).toBe(true)
  const { body: hints } = await operator.post<{ items: Row[] }>('/businesses/duplicate-checks', {
    emails: ['a@karoo.co.za'],
  })
  expect(hints.items).toEqual([])
  expect(await walk(operator, `${path}/interactions`)).toHaveLength(1)
  expect((await walk<AuditEvent>(operator, `${path}/activity`))[0]).toMatchObject({
    action: 'business.deactivate',
    before: { status: 'active' },
    after: { status: 'inactive' },
    reason,
  })
})

test('a deactivated record takes no work', async ({ expect }) => {
  const { t, operator, path } = await setUp()
  await operator.post(`${path}/deactivation`, { reason })
  const changes = await t.changes(async () => {
    for (const [part, body] of [
      ['notes', { text: 'Called.' }],
      ['evidence', seen],
      ['interactions', happened],
      ['pipeline-transitions', { to: 'contacted' }],
      ['deactivation', { reason }],
    ] as const) {
      const { status, body: refusal } = await operator.post<Refusal>(`${path}/${part}`, body)
      expect([part, status, refusal.code]).toEqual([part, 422, 'business_not_active'])
    }
    const { body: refusal } = await operator.patch<Refusal>(path, { name: 'Other' }, { 'if-match': '"2"' })
    expect(refusal.code).toBe('business_not_active')
  })
  expect(changes).toEqual({})
})

test('the filter Inactive finds deactivated records only, with every other filter and sort', async ({ expect }) => {
  const { t, operator, id, path, ids } = await setUp()
  const other = await createProspect(operator, { name: 'Aloe' })
  const erased = await createProspect(operator, { name: 'Gone' })
  await createProspect(operator, { name: 'Active' })
  for (const one of [path, `/businesses/${other.id}`]) await operator.post(`${one}/deactivation`, { reason })
  await erase(t, erased.id)
  expect(await ids('status=inactive')).toEqual([other.id, id])
  expect(await ids('status=inactive&sort=-name')).toEqual([id, other.id])
  expect(await ids('status=inactive&sort=-score')).toEqual([other.id, id])
  expect(await ids('status=inactive&tag=Farm')).toEqual([id])
  expect(await ids('status=inactive&q=windpumps')).toEqual([id])
  const { body } = await operator.get<ListPage<Row>>('/businesses?status=inactive')
  expect([body.page.total?.value, body.items[0]?.status]).toEqual([2, 'inactive'])
})

test('an operator deactivates what they created within a day, and a manager everything', async ({ expect }) => {
  const { t, operator, manager, id, path } = await setUp()
  const foreign = await createProspect(manager)
  const refused = async (one: string) => {
    const { status, body } = await operator.post<Refusal>(`${one}/deactivation`, { reason })
    return [status, body.code]
  }
  expect(await refused(`/businesses/${foreign.id}`)).toEqual([403, 'permission_denied'])
  await createdBefore(t, id, 24 * HOUR_MS + 1)
  expect(await refused(path)).toEqual([403, 'permission_denied'])
  expect((await manager.post(`${path}/deactivation`, { reason })).status).toBe(200)
  expect((await (await t.as('viewer')).post(`${path}/deactivation`, { reason })).status).toBe(403)
})

test('a reactivated record is back everywhere, and one that is active stays as it is', async ({ expect }) => {
  const { t, operator, manager, id, path, ids } = await setUp()
  await operator.post(`${path}/deactivation`, { reason })
  const { body } = await operator.post<Business>(`${path}/reactivation`, { reason: 'It was not.' })
  expect([body.status, body.deactivatedAt, body.version]).toEqual(['active', null, 3])
  expect(await ids('q=karoo')).toEqual([id])
  expect(await ids('tag=Farm')).toEqual([id])
  expect(await ids('status=inactive')).toEqual([])
  expect(await t.changes(() => manager.post(`${path}/reactivation`, { reason }))).toEqual({})
})

test('a record that was suppressed before or meanwhile stays do not contact', async ({ expect }) => {
  const { operator, manager, path } = await setUp()
  await operator.post(`${path}/deactivation`, { reason })
  const { status } = await manager.post('/suppressions', {
    kind: 'email',
    value: 'a@karoo.co.za',
    reason: 'They asked.',
    channel: 'phone',
  })
  expect(status).toBe(201)
  const { body } = await operator.post<Business>(`${path}/reactivation`, { reason })
  expect(body.doNotContact).toMatchObject({ through: 'suppression' })
})

test('merged and erased records are not reactivated', async ({ expect }) => {
  const { t, manager, path, id } = await setUp()
  await erase(t, id)
  const { status, body } = await manager.post<Refusal>(`${path}/reactivation`, { reason })
  expect([status, body.code]).toEqual([422, 'business_not_active'])
  const [loser, survivor] = [await createProspect(manager), await createProspect(manager)]
  await endProspect(t, loser.id, { status: 'merged', into: survivor.id })
  const { body: refusal } = await manager.post<Refusal>(`/businesses/${loser.id}/reactivation`, { reason })
  expect(refusal.code).toBe('business_not_active')
})
