import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import {
  addEvidenceTo,
  addInteractionTo,
  createProspect,
  endProspect,
  type ListPage,
  type Problem,
} from '../../../../test/prospects.ts'
import type { BusinessSummary } from '../prospect-list.schema.ts'

test('an item of a list has the values of its record', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { users } = t.tenants.home
  const business = await createProspect(operator, {
    name: 'Karoo Windpumps',
    tradingName: 'Karoo Pumps',
    industry: 'Irrigation',
    employees: 12,
    emails: [{ value: 'A@karoo.co.za' }, { value: 'b@karoo.co.za' }],
    phones: [{ value: '082 123 4567', region: 'ZA' }],
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
        isNameKnown: true,
        tradingName: 'Karoo Pumps',
        industry: 'Irrigation',
        employees: 12,
        pipelineState: 'new',
        doNotContact: false,
        status: 'active',
        primaryEmail: 'A@karoo.co.za',
        primaryPhone: '082 123 4567',
        primaryPhoneNormalized: '+27821234567',
        primaryDomain: 'www.karoo.co.za',
        valuesHidden: false,
        city: 'Aberdeen',
        province: 'Eastern Cape',
        provinceCode: 'EC',
        placeDoubts: [],
        tags: ['Farm'],
        assignee: { id: users.manager.id, name: users.manager.name },
        hasEvidence: true,
        evidenceCount: 1,
        review: { state: 'unreviewed', isDue: true, decidedAt: null, dueFrom: null },
        lastInteractionAt: null,
        callCountry: 'ZA',
        people: [],
        furtherPeople: 0,
        followUpOn: null,
        score: expect.objectContaining({ status: 'not_scored', reason: 'no_active_scores' }),
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
  'sorted by %s, unchanged prospects appear once and in order while others are added and edited between the pages',
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

test('a cursor is valid for its filter and sort only, with any limit', async () => {
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

test('an invalid filter is refused by name', async () => {
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
  const empty = await operator.get<Problem>('/businesses?q=')
  expect(empty.body.errors).toEqual([{ path: 'q', code: 'too_small', message: 'Enter some text.' }])
  for (const twice of ['state=new&state=won', 'q=a&q=b', 'sort=name&sort=name'])
    expect((await operator.get(`/businesses?${twice}`)).status).toBe(400)
})

test('new prospects in a province are listed, although the index of both omits them', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { address: { province: 'Gauteng' } })
  const { body } = await operator.get<ListPage<{ id: string }>>('/businesses?state=new&province=GP')
  expect([body.items.map((one) => one.id), body.page.total?.value]).toEqual([[id], 1])
})

test('an empty assignee is refused: a filter for no assignee has a word of its own', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  await createProspect(operator)
  expect((await operator.get('/businesses?assignee=')).status).toBe(400)
  expect((await operator.get<ListPage<unknown>>('/businesses?assignee=none')).body.items).toHaveLength(1)
})

test('a tag that only ended records have is no longer in use', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, { tags: ['Farm', 'Wind'] })
  await createProspect(operator, { tags: ['Wind'] })
  await endProspect(t, id, { status: 'inactive' })
  const { body } = await operator.get<ListPage<{ tag: string; count: number }>>('/businesses/tags')
  expect(body.items).toEqual([{ tag: 'Wind', count: 1 }])
})

test('prospects without contact in the last days include those that were never contacted, in days of the workspace', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  // Midnight in Johannesburg is 22:00 UTC; the tests' clock stands in the morning of 21 November.
  const contacts = { Today: '2026-11-21T05:00:00Z', Edge: '2026-11-18T22:00:00Z', Before: '2026-11-18T21:59:59.999Z' }
  for (const [name, occurredAt] of Object.entries(contacts)) {
    const { id } = await createProspect(operator, { name })
    await addInteractionTo(operator, id, { occurredAt })
  }
  await createProspect(operator, { name: 'Never' })
  const found = async (op: string, values: unknown[]) => {
    const conditions = encodeURIComponent(JSON.stringify([{ field: 'lastInteraction', op, values }]))
    const { body } = await operator.get<ListPage<{ name: string }>>(
      `/businesses?sort=createdAt&conditions=${conditions}`,
    )
    return body.items.map(({ name }) => name)
  }
  expect(await found('within_days', [2])).toEqual(['Today', 'Edge'])
  expect(await found('not_within_days', [2])).toEqual(['Before', 'Never'])
  expect(await found('is_empty', [])).toEqual(['Never'])
  expect(await found('is_not_empty', [])).toEqual(['Today', 'Edge', 'Before'])
  const wrong = encodeURIComponent(JSON.stringify([{ field: 'lastInteraction', op: 'not_within_days', values: [] }]))
  expect((await operator.get(`/businesses?conditions=${wrong}`)).status).toBe(400)
})

test('relative days begin at midnight of the workspace, not of UTC', async () => {
  const t = await buildTestApp()
  const { home } = t.tenants
  const operator = async () =>
    t.withSession(await t.startSession({ tenantId: home.id, userId: home.users.operator.id, role: 'operator' }))
  const advanceTo = (at: string) => t.clock.advance(Date.parse(at) - t.clock().getTime())
  const found = async (query: string) => {
    const { body } = await (await operator()).get<ListPage<{ name: string }>>(`/businesses?sort=createdAt&${query}`)
    return body.items.map(({ name }) => name)
  }
  const within = (field: string, days: number) =>
    `conditions=${encodeURIComponent(JSON.stringify([{ field, op: 'within_days', values: [days] }]))}`
  // Midnight in Johannesburg is 22:00 UTC.
  advanceTo('2026-11-21T21:30:00Z')
  await createProspect(await operator(), { name: 'Before midnight' })
  advanceTo('2026-11-21T22:30:00Z')
  await createProspect(await operator(), { name: 'After midnight' })
  const queries = ['updatedWithinDays=1', within('updatedAt', 1), within('createdAt', 1)]
  advanceTo('2026-11-22T21:59:59.999Z')
  for (const query of queries) expect(await found(query)).toEqual(['Before midnight', 'After midnight'])
  advanceTo('2026-11-22T22:00:00Z')
  for (const query of queries) expect(await found(query)).toEqual(['After midnight'])
})
