import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../test/build-app.ts'
import {
  addEvidenceTo,
  createProspect,
  endProspect,
  type ListPage,
  moveTo,
  type Problem,
} from '../../../test/prospects.ts'
import { createCursors } from '../../http/pagination.ts'
import type { UserActor } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import { permissionsOf } from '../identity/permissions.ts'
import { filterOf } from './business-filter.ts'
import { type Business, type BusinessSummary, listBusinessesQuery, sorts } from './businesses.schema.ts'
import { createBusinessLister, type ListBounds } from './list-businesses.ts'
import { backgroundPlan, directPlan, orders } from './list-plan.ts'

/*
 * Every list against an oracle: the whole tenant filtered and sorted in memory. The records are few and full of ties: equal names, equal
 * times, tags in several cases.
 */

const tagsInUse = ['Farm', 'farm', 'FARM', 'Café', 'wind', 'Wind & water']
const provinces = ['Gauteng', 'wes-kaap', 'KwaZulu Natal', 'Nova Scotia', 'EC']
const names = ['Karoo', 'karoo', 'Kalahari', 'Élan', 'elan', 'ZZ', '4 Seasons', 'Änderung', 'Karoo Wind', 'k']
const road = ['contacted', 'qualified', 'proposal']

type Blueprint = {
  name: string
  province: string | null
  tag: string | null
  assignee: number | null
  ahead: number
  hasEvidence: boolean
  isBlocked: boolean
  isEnded: boolean
}
const blueprint: fc.Arbitrary<Blueprint> = fc.record({
  name: fc.constantFrom(...names),
  province: fc.option(fc.constantFrom(...provinces)),
  tag: fc.option(fc.constantFrom(...tagsInUse)),
  assignee: fc.option(fc.nat(1)),
  ahead: fc.constantFrom(0, 0, 0, 1, 2, 3),
  hasEvidence: fc.constantFrom(true, false, false),
  isBlocked: fc.constantFrom(true, false, false, false),
  isEnded: fc.constantFrom(true, ...Array.from({ length: 12 }, () => false)),
})

type Row = Business & { hasEvidence: boolean }
type World = { t: TestApp; rows: Row[]; assignees: string[] }

const PROSPECTS = 160
const AT_ONCE = 8

/** One seed, so that a failure can be looked at. */
async function makeWorld(): Promise<World> {
  const t = await buildTestApp()
  const [operator, other] = [await t.as('operator'), await t.as('operator', 'other')]
  const { users } = t.tenants.home
  const assignees = [users.operator.id, users.manager.id]
  const rows: Row[] = []
  const blueprints = fc.sample(blueprint, { numRuns: PROSPECTS, seed: 7 })
  for (let at = 0; at < blueprints.length; at += AT_ONCE) {
    const made = await Promise.all(
      blueprints.slice(at, at + AT_ONCE).map((plan) => build(t, operator, plan, assignees)),
    )
    rows.push(...made.filter((row) => row !== undefined))
    await createProspect(other, { name: names[at % names.length], tags: ['Farm'], address: { province: 'Gauteng' } })
    if (at % 3 !== 0) t.clock.advance(1_000)
  }
  return { t, rows, assignees }
}

async function build(t: TestApp, client: TestClient, plan: Blueprint, assignees: string[]): Promise<Row | undefined> {
  const { id } = await createProspect(client, {
    name: plan.name,
    address: { province: plan.province },
    tags: plan.tag === null ? [] : [plan.tag],
    assigneeId: plan.assignee === null ? null : assignees[plan.assignee],
  })
  for (const state of road.slice(0, plan.ahead)) await moveTo(client, id, state)
  if (plan.hasEvidence) await addEvidenceTo(client, id)
  if (plan.isBlocked) await client.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  if (plan.isEnded) await endProspect(t, id, { status: 'inactive' })
  const { body } = await client.get<Business>(`/businesses/${id}`)
  return plan.isEnded ? undefined : { ...body, hasEvidence: plan.hasEvidence }
}

type Query = Record<string, string>

function folded(value: string): string {
  return value
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

function matches(row: Row, query: Query, me: string): boolean {
  const { q, state, assignee, tag, province, doNotContact, hasEvidence, updatedFrom, updatedTo } = query
  const wanted = assignee === 'me' ? me : assignee === 'none' ? undefined : assignee
  const sameTag = (one: string) => one.toLowerCase() === tag?.toLowerCase()
  return [
    q === undefined || (q.length < 3 ? folded(row.name).startsWith(folded(q)) : folded(row.name).includes(folded(q))),
    state === undefined || row.pipelineState === state,
    assignee === undefined || row.assignee?.id === wanted,
    tag === undefined || row.tags.some(sameTag),
    province === undefined || (row.provinceCode ?? 'none') === province,
    doNotContact === undefined || String(row.doNotContact !== null) === doNotContact,
    hasEvidence === undefined || String(row.hasEvidence) === hasEvidence,
    updatedFrom === undefined || row.updatedAt >= updatedFrom,
    updatedTo === undefined || row.updatedAt <= updatedTo,
  ].every(Boolean)
}

function sorted(rows: readonly Row[], sort: string): Row[] {
  const value = (row: Row) =>
    sort.endsWith('name') ? folded(row.name) : sort.endsWith('updatedAt') ? row.updatedAt : row.createdAt
  const direction = sort.startsWith('-') ? -1 : 1
  return rows.toSorted(
    (a, b) => direction * (Buffer.compare(Buffer.from(value(a)), Buffer.from(value(b))) || (a.id < b.id ? -1 : 1)),
  )
}

function anyQuery({ rows, assignees }: World): fc.Arbitrary<Query> {
  const times = [...new Set(rows.map(({ updatedAt }) => updatedAt))]
  const filters = fc.record(
    {
      q: fc.constantFrom('k', 'ka', 'kar', 'KAROO', 'lan', 'éla', '4 s', 'zzz', 'wind', 'É'),
      state: fc.constantFrom('new', ...road, 'won'),
      assignee: fc.constantFrom('me', 'none', newId(), ...assignees),
      tag: fc.constantFrom(...tagsInUse, 'nowhere'),
      province: fc.constantFrom('GP', 'WC', 'KZN', 'other', 'none', 'EC', 'LP'),
      doNotContact: fc.constantFrom('true', 'false'),
      hasEvidence: fc.constantFrom('true', 'false'),
      updatedFrom: fc.constantFrom(...times, '2100-01-01T00:00:00.000Z'),
      updatedTo: fc.constantFrom(...times),
    },
    { requiredKeys: [] },
  )
  // Few filters at a time: all of them together would match nothing.
  const few = fc.tuple(filters, fc.shuffledSubarray(filterNames, { maxLength: 3 })).map(([all, kept]): Query => {
    return Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)))
  })
  return fc.tuple(few, fc.option(fc.constantFrom(...sorts), { nil: undefined })).map(([query, sort]): Query => {
    return sort === undefined ? query : { ...query, sort }
  })
}

const filterNames = [
  'q',
  'state',
  'assignee',
  'tag',
  'province',
  'doNotContact',
  'hasEvidence',
  'updatedFrom',
  'updatedTo',
]

type Way = 'direct' | 'gather' | 'scan'

/** Walks a list by its verb, so that its bounds can be low, and says which way its plan took. */
function walker({ t }: World, bounds: ListBounds) {
  const { tenants, store } = t
  const { id: userId } = tenants.home.users.operator
  const permissions = permissionsOf('operator')
  const actor: UserActor = { kind: 'user', userId, tenantId: tenants.home.id, correlationId: newId(), permissions }
  const list = createBusinessLister(store, createCursors(store.keys), bounds)
  return async (query: Query, limit: number) => {
    const parsed = listBusinessesQuery.parse({ ...query, limit })
    const filter = filterOf(actor, parsed)
    const order = orders[parsed.sort]
    const plan = directPlan(filter, order) ?? (await backgroundPlan(store, filter, order, bounds.smallSet))
    const items: BusinessSummary[] = []
    const totals: unknown[] = []
    let cursor: string | null = null
    do {
      const { items: some, page } = await list(actor, cursor === null ? parsed : { ...parsed, cursor })
      expect([page.limit, page.returned]).toEqual([limit, some.length])
      items.push(...some)
      totals.push(page.total === null ? null : page.total.value)
      cursor = page.nextCursor
    } while (cursor !== null)
    return { items, totals: new Set(totals), way: plan.way }
  }
}

test('any filter, sort and limit, page by page, gives the oracle’s prospects in the oracle’s order, each once, with a total that is right or null', {
  timeout: 120_000,
}, async () => {
  const world = await makeWorld()
  const me = world.t.tenants.home.users.operator.id
  const ways: Record<Way, number> = { direct: 0, gather: 0, scan: 0 }
  const atSize = {
    'of a small tenant': { smallSet: 5_000, counted: 10_000 },
    'of a large tenant': { smallSet: 12, counted: 30 },
    'where nothing is small': { smallSet: 0, counted: 0 },
  }
  for (const [size, bounds] of Object.entries(atSize)) {
    const walk = walker(world, bounds)
    const check = async (query: Query, limit: number) => {
      const expected = sorted(
        world.rows.filter((row) => matches(row, query, me)),
        query.sort ?? '-updatedAt',
      )
      const { items, totals, way } = await walk(query, limit)
      ways[way] += 1
      expect([size, query, items.map(({ id }) => id)]).toEqual([size, query, expected.map(({ id }) => id)])
      const mayBeUnknown = way === 'scan' || expected.length > bounds.counted
      for (const total of totals)
        if (!(total === null && mayBeUnknown)) expect([size, query, total]).toEqual([size, query, expected.length])
    }
    await fc.assert(fc.asyncProperty(anyQuery(world), fc.constantFrom(1, 7, 50, 200), check), { numRuns: 80 })
  }
  for (const way of ['direct', 'gather', 'scan'] as const) expect([way, ways[way] > 10]).toEqual([way, true])
})

test('an item of a list says what the record says', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { users } = t.tenants.home
  const business = await createProspect(operator, {
    name: 'Karoo Windpumps',
    tradingName: 'Karoo Pumps',
    industry: 'Irrigation',
    emails: [{ value: 'A@karoo.co.za' }, { value: 'b@karoo.co.za' }],
    phones: [{ value: '082 123 4567' }],
    domains: [{ value: 'www.karoo.co.za' }],
    address: { city: 'Aberdeen', province: 'Eastern Cape' },
    tags: ['Farm'],
    assigneeId: users.manager.id,
  })
  await addEvidenceTo(operator, business.id)
  const { body } = await operator.get<ListPage<BusinessSummary>>('/businesses')
  expect(body).toEqual({
    items: [
      {
        id: business.id,
        version: 1,
        name: 'Karoo Windpumps',
        tradingName: 'Karoo Pumps',
        industry: 'Irrigation',
        pipelineState: 'new',
        doNotContact: false,
        status: 'active',
        primaryEmail: 'A@karoo.co.za',
        primaryPhone: '082 123 4567',
        primaryDomain: 'www.karoo.co.za',
        city: 'Aberdeen',
        province: 'Eastern Cape',
        provinceCode: 'EC',
        tags: ['Farm'],
        assignee: { id: users.manager.id, name: users.manager.name },
        hasEvidence: true,
        createdAt: business.createdAt,
        updatedAt: business.updatedAt,
      },
    ],
    page: {
      limit: 50,
      returned: 1,
      nextCursor: null,
      total: { value: 1, counts: 'matching_set', asOf: t.clock().toISOString() },
    },
  })
})

test.for(['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'])(
  'sorted by %s, who was there all along shows once and in order while others are added and edited between the pages',
  async (sort) => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const steady: string[] = []
    for (const name of ['b', 'd', 'd', 'f', 'h', 'j', 'l']) {
      t.clock.advance(name === 'd' ? 0 : 1_000)
      steady.push((await createProspect(operator, { name })).id)
    }
    const restless = await createProspect(operator, { name: 'e' })
    const seen: string[] = []
    let cursor: string | null = null
    let version = 1
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`
      const { body } = await operator.get<ListPage<{ id: string }>>(`/businesses?sort=${sort}&limit=2${next}`)
      seen.push(...body.items.map(({ id }) => id))
      cursor = body.page.nextCursor
      for (const name of ['a', 'd', 'm']) await createProspect(operator, { name })
      const path = `/businesses/${restless.id}`
      await operator.patch(path, { name: `e${version}` }, { 'if-match': `"${version++}"` })
    } while (cursor !== null && seen.length < 60)
    const found = seen.filter((id) => steady.includes(id))
    const inOrder = sort.startsWith('-') ? steady.toReversed() : steady
    expect(found).toEqual(inOrder)
  },
)

test('a cursor holds for its filter and sort alone, at any limit', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const manager = await t.as('manager')
  for (let index = 0; index < 4; index++) await createProspect(operator, { name: `Karoo ${index}`, tags: ['Farm'] })
  const list = 'sort=name&tag=farm'
  const first = (await operator.get<ListPage<unknown>>(`/businesses?${list}&limit=1`)).body
  const cursor = `cursor=${first.page.nextCursor}`
  for (const other of [
    'sort=-name&tag=farm',
    'sort=name',
    'tag=farm',
    `${list}&state=new`,
    `${list}&q=karoo`,
    'sort=name&tag=wind',
  ]) {
    const { status, body } = await operator.get<Problem>(`/businesses?${other}&${cursor}`)
    expect([other, status, body.errors]).toMatchObject([other, 400, [{ path: 'cursor', code: 'invalid_cursor' }]])
  }
  const rest = (await manager.get<ListPage<{ name: string }>>(`/businesses?tag=FARM&sort=name&limit=3&${cursor}`)).body
  expect(rest.items.map(({ name }) => name)).toEqual(['Karoo 1', 'Karoo 2', 'Karoo 3'])
})

test('a filter that is none is refused by name', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const wrong = [
    ['q', ''],
    ['q', ' '],
    ['q', '\u0301'],
    ['q', 'nul\u0000l'],
    ['q', 'x'.repeat(201)],
    ['state', 'archived'],
    ['tag', ''],
    ['tag', 'x'.repeat(51)],
    ['province', 'ZZ'],
    ['province', ''],
    ['doNotContact', '1'],
    ['hasEvidence', 'yes'],
    ['updatedFrom', 'yesterday'],
    ['updatedTo', '2026-13-01T00:00:00Z'],
    ['sort', 'id'],
    ['sort', '--name'],
    ['status', 'merged'],
    ['tenantId', t.tenants.other.id],
  ] as const
  for (const [name, value] of wrong) {
    const { status, body } = await operator.get<Problem>(`/businesses?${name}=${encodeURIComponent(value)}`)
    expect([name, value, status, body.errors?.[0]?.path]).toEqual([name, value, 400, name])
  }
  for (const twice of ['state=new&state=won', 'q=a&q=b', 'sort=name&sort=name'])
    expect((await operator.get(`/businesses?${twice}`)).status).toBe(400)
})
