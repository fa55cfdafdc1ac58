import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createProspect, moveTo, type Refusal, walk } from '../../../../test/prospects.ts'
import type { BusinessSummary } from '../../prospect-list/prospect-list.schema.ts'
import type { ReviewOpening } from '../../review-decisions/reviews.schema.ts'
import type { ReviewQueuePage } from '../queue/queue.schema.ts'
import { asQuery, open, rejection, reviewed, reviewWorld } from './review-world.ts'

type Next = { business: BusinessSummary | null; opening: ReviewOpening | null }

test('the queue shows what is due and may be contacted, with its exact predicate and count', async () => {
  const { operator } = await reviewWorld()
  const [oldest, newest] = [
    await createProspect(operator, { name: 'A' }),
    await createProspect(operator, { name: 'B' }),
  ]
  const done = await createProspect(operator, { name: 'C' })
  await reviewed(operator, done.id, rejection)
  const blocked = await createProspect(operator, { name: 'D' })
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'They asked.' })
  const { body } = await operator.get<ReviewQueuePage>('/review-queue?limit=1')
  expect(body.items.map(({ id }) => id)).toEqual([oldest.id])
  expect(body.page.total).toMatchObject({ value: 2, counts: 'matching_set' })
  expect(body.predicate).toMatchObject({
    schemaVersion: 1,
    sort: 'createdAt',
    words: 'Active prospects: not marked do not contact; review is due; oldest first.',
    removed: [],
  })
  expect((await walk<BusinessSummary>(operator, '/review-queue', 1)).map(({ id }) => id)).toEqual([
    oldest.id,
    newest.id,
  ])
})

test('a cursor is good for its own predicate alone', async () => {
  const { operator } = await reviewWorld()
  for (const name of ['A', 'B', 'C']) await createProspect(operator, { name })
  const { body } = await operator.get<ReviewQueuePage>('/review-queue?limit=1')
  const cursor = encodeURIComponent(body.page.nextCursor ?? '')
  const other = asQuery([{ field: 'review', op: 'any_of', values: ['due'] }])
  const { status, body: refusal } = await operator.get<Refusal>(`/review-queue?limit=1&${other}&cursor=${cursor}`)
  expect([status, refusal.errors?.[0]?.code]).toEqual([400, 'invalid_cursor'])
})

test('the predicate names the person and the time, in one form however the conditions were written', async () => {
  const { t, operator } = await reviewWorld()
  const conditions = [
    { field: 'updatedAt', op: 'within_days', values: [7] },
    { field: 'assignee', op: 'any_of', values: ['me'] },
    { field: 'state', op: 'any_of', values: ['new', 'contacted'] },
  ]
  const ask = async (of: unknown[]) =>
    (await operator.get<ReviewQueuePage>(`/review-queue?${asQuery(of)}`)).body.predicate
  const predicate = await ask(conditions)
  const { operator: me } = t.tenants.home.users
  expect(predicate.filter).toContainEqual({ field: 'assignee', op: 'any_of', values: [me.id] })
  // Midnight in Johannesburg, seven days before the clock of the test.
  const since = '2026-11-13T22:00:00.000Z'
  expect(predicate.filter).toContainEqual({ field: 'updatedAt', op: 'between', values: [since, null] })
  const [, , third] = conditions
  const again = await ask([{ ...third, values: ['contacted', 'new'] }, conditions[1], conditions[0]])
  expect(again.hash).toBe(predicate.hash)
})

test('a removed tag and an unknown person match nothing, also when excluded; a former member matches what is still theirs; all are named', async () => {
  const { t, operator } = await reviewWorld()
  const { id: manager } = t.tenants.home.users.manager
  await createProspect(operator, { assigneeId: manager, tags: ['Farm'] })
  await t.store.write({ tenantId: t.tenants.home.id }, async (db) => {
    await db.updateTable('memberships').set({ status: 'disabled' }).where('user_id', '=', manager).execute()
    return { keep: true, value: undefined }
  })
  const stranger = t.tenants.other.users.manager
  for (const [field, value, found] of [
    ['assignee', manager, { any_of: 1, none_of: 0 }],
    ['assignee', stranger.id, { any_of: 0, none_of: 0 }],
    ['tag', 'Gone', { any_of: 0, none_of: 0 }],
  ] as const)
    for (const op of ['any_of', 'none_of'] as const) {
      const { body } = await operator.get<ReviewQueuePage>(`/review-queue?${asQuery([{ field, op, values: [value] }])}`)
      const { total } = body.page
      expect([field, op, body.items.length, total?.value]).toEqual([field, op, found[op], found[op]])
      expect(body.predicate.removed).toEqual([{ field, value }])
    }
  const ofStranger = asQuery([{ field: 'assignee', op: 'any_of', values: [stranger.id] }])
  const { body } = await operator.get<ReviewQueuePage>(`/review-queue?${ofStranger}`)
  expect(body.predicate.words).toContain('assignee is a removed person')
})

test('next claims a record that nobody else has, and another person who opens it sees who has it', async () => {
  const { t, operator, manager } = await reviewWorld()
  const [first, second] = [await createProspect(operator, { name: 'A' }), await createProspect(operator, { name: 'B' })]
  const next = async (client: typeof operator, body: object = {}) =>
    (await client.post<Next>('/review-queue/next', body)).body
  const own = await next(operator)
  expect([own.business?.id, own.opening?.claim?.isOwn, own.opening?.stillMatches]).toEqual([first.id, true, true])
  const theirs = await next(manager)
  expect(theirs.business?.id).toBe(second.id)
  expect(await next(operator, { skip: [first.id] })).toMatchObject({ business: null, opening: null })
  const seen = await open(manager, first.id)
  expect(seen.claim).toMatchObject({ isOwn: false, by: { name: t.tenants.home.users.operator.name } })
  t.clock.advance(10 * 60_000)
  expect((await next(manager)).business?.id).toBe(first.id)
})

test('a repeat of next shows the record as it is now, and stores no more than its id', async () => {
  const { t, operator, manager } = await reviewWorld()
  const { id } = await createProspect(operator, { emails: [{ value: 'quagga@karoo.co.za' }] })
  const key = { 'idempotency-key': 'next' }
  const first = await operator.post<Next>('/review-queue/next', {}, key)
  expect(first.body.business).toMatchObject({ id, doNotContact: false, primaryEmail: 'quagga@karoo.co.za' })
  const [stored] = await t.store.reader.selectFrom('idempotency_keys').select('result').execute()
  expect(stored?.result).toBe(`"${id}"`)
  const entry = { kind: 'email', value: 'quagga@karoo.co.za', reason: 'They asked.', channel: 'phone' }
  expect((await manager.post('/suppressions', entry)).status).toBe(201)
  const again = await operator.post<Next>('/review-queue/next', {}, key)
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
  expect(again.body).toMatchObject({ business: { id, doNotContact: true }, opening: { stillMatches: false } })
})

test('an opening says whether the record still matches', async () => {
  const { operator } = await reviewWorld()
  const { id } = await createProspect(operator)
  const conditions = [{ field: 'state', op: 'any_of', values: ['new'] }]
  expect((await open(operator, id, { conditions })).stillMatches).toBe(true)
  await moveTo(operator, id, 'contacted')
  expect((await open(operator, id, { conditions })).stillMatches).toBe(false)
  expect((await open(operator, id)).stillMatches).toBeNull()
})

const values = {
  state: ['new', 'contacted', 'qualified'],
  province: ['GP', 'WC', 'EC'],
  tag: ['Farm', 'Wind', 'Mining'],
  review: ['due', 'unreviewed', 'verified', 'rejected'],
} as const

type Random = { field: string; op: string; values: unknown[] }
const choice = (field: keyof typeof values, canBeEmpty: boolean): fc.Arbitrary<Random> =>
  fc.oneof(
    fc.record({
      field: fc.constant(field as string),
      op: fc.constantFrom('any_of', 'none_of'),
      values: fc.uniqueArray(fc.constantFrom<string>(...values[field]), { minLength: 1, maxLength: 3 }),
    }),
    ...(canBeEmpty
      ? [fc.constantFrom('is_empty', 'is_not_empty').map((op): Random => ({ field, op, values: [] }))]
      : []),
  )
const flagChoice: fc.Arbitrary<Random> = fc.record({
  field: fc.constantFrom('doNotContact', 'hasEvidence'),
  op: fc.constantFrom('any_of', 'none_of'),
  values: fc.uniqueArray(fc.boolean(), { minLength: 1, maxLength: 2 }),
})
const conditionsOfAny = fc.array(
  fc.oneof(choice('state', false), choice('province', true), choice('tag', true), choice('review', false), flagChoice),
  { maxLength: 3 },
)

function holds(row: BusinessSummary, { field, op, values: wanted }: Random): boolean {
  const own: Record<string, unknown[]> = {
    state: [row.pipelineState],
    province: row.provinceCode === null ? [] : [row.provinceCode],
    tag: row.tags,
    review: [row.review.state, ...(row.review.isDue ? ['due'] : [])],
    doNotContact: [row.doNotContact],
    hasEvidence: [row.hasEvidence],
  }
  const has = own[field] ?? []
  if (op === 'is_empty') return has.length === 0
  if (op === 'is_not_empty') return has.length > 0
  return wanted.some((value) => has.includes(value)) === (op === 'any_of')
}

test('for random conditions the queue, the list of prospects and its count are what an oracle says', async () => {
  const { operator } = await reviewWorld()
  for (let at = 0; at < 30; at++) {
    const { id } = await createProspect(operator, {
      name: `P ${at}`,
      address: { province: [null, 'Gauteng', 'Western Cape', 'Eastern Cape'][at % 4] },
      tags: [[], ['Farm'], ['Wind', 'Mining']][at % 3],
    })
    if (at % 5 === 0) await moveTo(operator, id, 'contacted')
    if (at % 7 === 0) await reviewed(operator, id, rejection)
    if (at % 11 === 0) await reviewed(operator, id, { decision: 'verify' })
    if (at % 13 === 0) await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  }
  const all = await walk<BusinessSummary>(operator, '/businesses?sort=createdAt', 50)
  await fc.assert(
    fc.asyncProperty(conditionsOfAny, async (conditions) => {
      const expected = all.filter((row) => conditions.every((one) => holds(row, one))).map(({ id }) => id)
      const query = `${asQuery(conditions)}&sort=createdAt&limit=20`
      const { body } = await operator.get<ReviewQueuePage>(`/review-queue?${query}`)
      expect(body.page.total?.value).toBe(expected.length)
      const queue = await walk<BusinessSummary>(operator, `/review-queue?${asQuery(conditions)}&sort=createdAt`, 20)
      const list = await walk<BusinessSummary>(operator, `/businesses?${asQuery(conditions)}&sort=createdAt`, 20)
      expect(queue.map(({ id }) => id)).toEqual(expected)
      expect(list.map(({ id }) => id)).toEqual(expected)
    }),
    { numRuns: 20 },
  )
})
