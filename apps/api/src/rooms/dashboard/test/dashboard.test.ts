import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { createJobOf, testKind } from '../../../../test/job-world.ts'
import { createProspect, type ListPage, moveTo, type Refusal } from '../../../../test/prospects.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import {
  approve,
  approvedPolicy,
  askCopy,
  draftBody,
  draftsWorld,
  readDraft,
  requestApproval,
  writeDraft,
} from '../../drafts/test/drafts-world.ts'
import { rooms } from '../../index.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { rejection, reviewed } from '../../review/test/review-world.ts'
import { scoringWorld } from '../../scoring/test/scoring-world.ts'
import type { Arrangement, Dashboard, Tile } from '../dashboard.schema.ts'

const tileOf = async (client: TestClient, key: string) => (await client.get<Tile>(`/dashboard/tiles/${key}`)).body

async function totalBehind(client: TestClient, link: Tile['link']): Promise<number | undefined> {
  const path = link?.desk === 'review' ? '/review-queue' : '/businesses'
  const { body } = await client.get<ListPage<unknown>>(`${path}?${new URLSearchParams(link?.query)}`)
  return body.page.total?.value
}

test('every number of prospects is the total of the list that it opens, whatever the records are', async () => {
  const world = await scoringWorld()
  const { t } = world
  const operator = await t.as('operator')
  const plan = fc.record({
    phone: fc.boolean(),
    mining: fc.boolean(),
    moved: fc.boolean(),
    isBlocked: fc.boolean(),
    isReviewed: fc.boolean(),
    isMine: fc.boolean(),
  })
  const { operator: me } = t.tenants.home.users
  for (const [at, one] of fc.sample(plan, { numRuns: 25, seed: 11 }).entries()) {
    const { id } = await createProspect(operator, {
      name: `P ${at}`,
      ...(one.phone ? { phones: [{ value: `+27 21 555 ${1_000 + at}` }] } : {}),
      tags: one.mining ? ['Mining'] : [],
      assigneeId: one.isMine ? me.id : null,
    })
    if (one.moved) await moveTo(operator, id, 'contacted')
    if (one.isReviewed) await reviewed(operator, id, rejection)
    if (one.isBlocked) await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  }
  await world.activated(await world.ran(await world.approved()))
  const { body } = await operator.get<Dashboard>('/dashboard')
  let compared = 0
  for (const tile of body.tiles) {
    const parts = [{ value: tile.value, link: tile.link, predicate: tile.predicate }, ...tile.parts]
    for (const { value, link, predicate } of parts) {
      if (predicate === null) continue
      expect([tile.key, link?.query, value]).toEqual([tile.key, link?.query, await totalBehind(operator, link)])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(15)
  const eligibility = body.tiles.find(({ key }) => key === 'eligibility')
  expect(eligibility?.value).toBe(25)
})

test('a tile without an answer shows no number: pending, failed, not allowed', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  const { body } = await viewer.get<Dashboard>('/dashboard')
  const states = new Map(body.tiles.map(({ key, status, value }) => [key, [status, value]]))
  expect(states.get('failed_jobs')).toEqual(['pending', null])
  expect(states.get('priority')).toEqual(['failed', null])
  expect(states.get('due')).toEqual(['ready', 0])
  expect((await tileOf(viewer, 'failed_jobs')).status).toMatch(/ready|not_allowed/)
  expect((await viewer.get('/dashboard/tiles/nothing')).status).toBe(404)
})

test('a saved filter is pinned as a tile, and says so when it is deleted or private', async () => {
  const t = await buildTestApp()
  const [operator, manager] = [await t.as('operator'), await t.as('manager')]
  await createProspect(operator, { tags: ['Farm'] })
  await createProspect(operator, { name: 'Other' })
  const filter = [{ field: 'tag', op: 'any_of', values: ['Farm'] }]
  const { body: saved } = await operator.post<{ id: string }>('/saved-filters', {
    desk: 'prospects',
    name: 'Farms',
    filter,
  })
  const key = `filter:${saved.id}`
  const tile = await tileOf(operator, key)
  expect(tile).toMatchObject({ title: 'Farms', status: 'ready', value: 1 })
  expect(await totalBehind(operator, tile.link)).toBe(1)
  expect((await manager.get(`/dashboard/tiles/${key}`)).status).toBe(404)
  await operator.put('/dashboard/arrangement', { tiles: [{ key }] }, { 'if-match': '"0"' })
  expect((await operator.get<Dashboard>('/dashboard')).body.tiles).toMatchObject([
    { key, status: 'pending', value: null },
  ])
  await operator.delete(`/saved-filters/${saved.id}`)
  expect((await operator.get<Dashboard>('/dashboard')).body.tiles).toMatchObject([
    { key, status: 'failed', value: null },
  ])
})

test('my follow-ups are counted until the end of next week, each number as its list, without others and do not contact', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { operator: me, manager: other } = t.tenants.home.users
  const planned = async (followUpOn: string, assigneeId = me.id) => {
    const { id } = await createProspect(operator, { name: `Due ${followUpOn}`, assigneeId })
    const body = { followUpOn, acceptPastFollowUp: true }
    expect((await operator.put(`/businesses/${id}/follow-up`, body, { 'if-match': '"1"' })).status).toBe(200)
    return id
  }
  // Today is Saturday, 21 November.
  for (const day of ['2026-11-02', '2026-11-18', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-29', '2026-11-30'])
    await planned(day)
  await planned('2026-11-21', other.id)
  const blocked = await planned('2026-11-21')
  await operator.post(`/businesses/${blocked}/do-not-contact`, { reason: 'They asked.' })
  const tile = await tileOf(operator, 'my_follow_ups')
  const numbers = [tile, ...tile.parts]
  expect(numbers.map(({ value }) => value)).toEqual([6, 2, 1, 3, 2])
  for (const { value, link } of numbers) expect(await totalBehind(operator, link)).toBe(value)
})

test('order and hidden tiles are each person’s own, at most 24', async () => {
  const t = await buildTestApp()
  const [operator, manager] = [await t.as('operator'), await t.as('manager')]
  const arrange = (tiles: unknown[], version: number) =>
    operator.put<Arrangement & Refusal>('/dashboard/arrangement', { tiles }, { 'if-match': `"${version}"` })
  expect((await arrange([{ key: 'mine' }, { key: 'due', isHidden: true }], 0)).status).toBe(200)
  expect((await operator.get<Dashboard>('/dashboard')).body.tiles.map(({ key }) => key)).toEqual(['mine'])
  expect((await manager.get<Dashboard>('/dashboard')).body.tiles).toHaveLength(15)
  const many = Array.from({ length: 25 }, () => ({ key: `filter:${newId()}` }))
  expect((await arrange(many, 1)).status).toBe(400)
  expect((await arrange([{ key: 'due' }, { key: 'due' }], 1)).status).toBe(400)
  expect((await arrange([{ key: 'due' }], 0)).body.code).toBe('version_conflict')
})

test('reviews are counted by days of the workspace', async () => {
  // 1:30 on 29 November in the workspace.
  const t = await buildTestApp()
  const goTo = (at: string) => t.clock.advance(Date.parse(at) - t.clock().getTime())
  goTo('2026-11-28T23:30:00.000Z')
  const operator = await t.as('operator')
  for (const name of ['A', 'B']) await reviewed(operator, (await createProspect(operator, { name })).id, rejection)
  goTo('2026-11-29T00:00:00.000Z')
  await reviewed(operator, (await createProspect(operator, { name: 'C' })).id, rejection)
  const tile = await tileOf(operator, 'reviews_per_day')
  expect([tile.value, tile.parts.length, tile.parts.at(-1)]).toMatchObject([3, 14, { key: '2026-11-29', value: 3 }])
  const query = new URLSearchParams(tile.parts.at(-1)?.link?.query)
  const events = await (await t.as('manager')).get<ListPage<unknown>>(`/audit-events?${query}`)
  expect(events.body.items).toHaveLength(3)
})

const waitingOf = async (client: TestClient) =>
  Object.fromEntries((await tileOf(client, 'waiting')).parts.map(({ key, value }) => [key, value]))

test('decisions wait for those who may make them, and never for the person who proposed', async () => {
  const t = await buildTestApp()
  const [operator, manager, administrator] = [
    await t.as('operator'),
    await t.as('manager'),
    await t.as('administrator'),
  ]
  expect(await waitingOf(manager)).toEqual({})
  const { id } = await createProspect(operator, { domains: [{ value: 'karoo.co.za' }] })
  await manager.post(`/businesses/${id}/official-sites`, { host: 'karoo.co.za' })
  expect(await waitingOf(administrator)).toMatchObject({ official_sites: 1 })
  expect(await waitingOf(manager)).not.toHaveProperty('official_sites')
  expect(await waitingOf(operator)).not.toHaveProperty('official_sites')
})

test('counts a decision on a proposed site for the proposer for a week, as the list does', async () => {
  const t = await buildTestApp()
  const [manager, administrator] = [await t.as('manager'), await t.as('administrator')]
  const { id } = await createProspect(manager, { domains: [{ value: 'karoo.co.za' }, { value: 'kamdeboo.co.za' }] })
  type Site = { id: string; fingerprint: string }
  const answered = async (client: TestClient) =>
    (await client.get<ListPage<Site>>('/official-sites?state=answered')).body.items.map(({ id }) => id)
  const sites: Site[] = []
  for (const host of ['karoo.co.za', 'kamdeboo.co.za'])
    sites.push((await manager.post<Site>(`/businesses/${id}/official-sites`, { host })).body)
  expect(await waitingOf(manager)).not.toHaveProperty('my_decided_sites')
  const [first, second] = sites as [Site, Site]
  const validUntil = new Date(t.clock().getTime() + 30 * DAY_MS).toISOString()
  for (const [site, decision] of [
    [first, { decision: 'approve', validUntil }],
    [second, { decision: 'reject' }],
  ] as const) {
    const body = { ...decision, reason: 'As seen.', fingerprint: site.fingerprint }
    const { status } = await administrator.post(`/official-sites/${site.id}/decision`, body, {
      'idempotency-key': newId(),
    })
    expect(status).toBe(200)
  }
  expect(await waitingOf(manager)).toMatchObject({ my_decided_sites: 2 })
  expect(await answered(manager)).toEqual([second.id, first.id])
  expect(await waitingOf(administrator)).not.toHaveProperty('my_decided_sites')
  expect(await answered(administrator)).toEqual([])
  t.clock.advance(8 * DAY_MS)
  const { id: tenantId, users } = t.tenants.home
  const later = t.withSession(await t.startSession({ tenantId, userId: users.manager.id, role: 'manager' }))
  expect(await waitingOf(later)).not.toHaveProperty('my_decided_sites')
  expect(await answered(later)).toEqual([])
})

test('counts a rejected draft for its author until the next version, and an approved one until it is copied', async () => {
  const world = await draftsWorld()
  const { operator, manager } = world
  const draft = await requestApproval(world, await writeDraft(world))
  expect(await waitingOf(operator)).toEqual({})
  await manager.post(`/drafts/${draft.id}/rejections`, { reason: 'Name the date.' })
  expect(await waitingOf(operator)).toEqual({ my_rejected_drafts: 1 })
  expect(await waitingOf(manager)).not.toHaveProperty('my_rejected_drafts')
  const { version } = await readDraft(world, draft.id)
  const text = `${draftBody(world).text} On Friday.`
  const saved = await operator.patch(`/drafts/${draft.id}`, { text }, { 'if-match': `"${version}"` })
  expect(saved.status).toBe(200)
  expect(await waitingOf(operator)).toEqual({})

  const approved = await approve(world, await requestApproval(world, await readDraft(world, draft.id)))
  expect(await waitingOf(operator)).toEqual({ my_approved_drafts: 1 })
  expect((await askCopy(operator, approved)).status).toBeLessThan(300)
  expect(await waitingOf(operator)).toEqual({})
})

test('counts the decision on a draft policy for its author for a week', async () => {
  const world = await draftsWorld()
  await approvedPolicy(world, { channel: 'sms' })
  expect(await waitingOf(world.administrator)).toMatchObject({ my_decided_policies: expect.any(Number) })
  expect(await waitingOf(world.manager)).not.toHaveProperty('my_decided_policies')
  world.t.clock.advance(8 * DAY_MS)
  expect(await waitingOf(await world.t.as('administrator'))).not.toHaveProperty('my_decided_policies')
})

test('counts a failed job for its requester for a week or until a retry', async () => {
  const t = await buildTestApp({ kinds: jobKindsOf([testKind(async () => undefined)]) })
  const [operator, manager] = [await t.as('operator'), await t.as('manager')]
  const { id } = await createJobOf(operator, 'test')
  const fail = (jobId: string) => {
    const connection = openConnection(join(t.store.dataDir, STORE_FILE))
    connection
      .prepare(`UPDATE jobs SET status = 'failed', ended_at = ?, error_code = 'x', error_message = 'x' WHERE id = ?`)
      .run(t.clock().toISOString(), jobId)
    connection.close()
  }
  expect(await waitingOf(operator)).toEqual({})
  fail(id)
  expect(await waitingOf(operator)).toEqual({ my_failed_jobs: 1 })
  expect(await waitingOf(manager)).toEqual({})
  const retried = await operator.post(`/jobs/${id}/retry`, {}, { 'idempotency-key': newId() })
  expect(retried.status).toBe(202)
  expect(await waitingOf(operator)).toEqual({})
})

test('every kind of waiting decisions of a room is counted, and names its list', async () => {
  const t = await buildTestApp()
  const waiting = rooms.flatMap((room) => room.waiting ?? [])
  expect(new Set(waiting.map(({ key }) => key)).size).toBe(waiting.length)
  expect(waiting.length).toBeGreaterThan(8)
  const administrator = await t.as('administrator')
  const tile = await tileOf(administrator, 'waiting')
  expect(tile).toMatchObject({ status: 'ready', value: 0, parts: [] })
})
