import { expect, test } from 'vitest'
import { breakWrites } from '../../../test/break-writes.ts'
import { askMerge, merged, suggestedPair } from '../../../test/merging.ts'
import { addEvidenceTo, createProspect, endProspect, moveTo, type Refusal, walk } from '../../../test/prospects.ts'
import { DAY_MS, daysAfter } from '../../lib/clock.ts'
import { fingerprint } from '../../lib/hashing.ts'
import { getBusiness } from '../businesses/businesses.ts'
import { open, rejection, review, reviewed, reviewStateOf, reviewWorld } from '../review/test/review-world.ts'
import { hashFacts } from './review-fingerprint.ts'
import { followReviews } from './review-follower.ts'
import { evidenceStanding } from './reviews.queries.ts'
import type { Review } from './reviews.schema.ts'

test('a prospect is unreviewed until it is decided, and a decision can be reopened with a reason', async () => {
  const { operator } = await reviewWorld()
  const { id } = await createProspect(operator)
  expect(await reviewStateOf(operator, id)).toMatchObject({ state: 'unreviewed', isDue: true })
  const made = await reviewed(operator, id, { decision: 'verify', checkedFields: ['name'] })
  expect(made).toMatchObject({ decision: 'verify', checkedFields: ['name'], method: 'single', businessVersion: 1 })
  expect(await reviewStateOf(operator, id)).toMatchObject({ state: 'verified', isDue: false, decidedAt: made.at })
  await reviewed(operator, id, { decision: 'reopen', reason: 'The wrong branch.' })
  expect(await reviewStateOf(operator, id)).toMatchObject({ state: 'unreviewed', isDue: true })
  await reviewed(operator, id, { decision: 'reject', reasonCode: 'other', reason: 'A private house.' })
  expect(await reviewStateOf(operator, id)).toMatchObject({ state: 'rejected', isDue: false })
  const all = await walk<Review>(operator, `/businesses/${id}/reviews`)
  expect(all.map(({ decision, reason }) => [decision, reason])).toEqual([
    ['reject', 'A private house.'],
    ['reopen', 'The wrong branch.'],
    ['verify', null],
  ])
})

test('a review changes no fact, state, score or version of the record', async () => {
  const { t, operator } = await reviewWorld()
  const { id } = await createProspect(operator)
  const before = await operator.get(`/businesses/${id}`)
  const { fingerprint } = await open(operator, id)
  const changes = await t.changes(() => operator.post(`/businesses/${id}/reviews`, { decision: 'verify', fingerprint }))
  expect(changes).toEqual({
    audit_events: 1,
    follower_positions: 1,
    review_claims: -1,
    review_counts: 1,
    review_states: 1,
    reviews: 1,
  })
  expect((await operator.get(`/businesses/${id}`)).body).toEqual(before.body)
})

test('a number of employees makes a review outdated, and a record without one has the fingerprint from before the field', async () => {
  const { t, operator } = await reviewWorld()
  const { id } = await createProspect(operator, { industry: 'Farming' })
  const { id: tenantId } = t.tenants.home
  const business = await getBusiness(t.store.reader, tenantId, id)
  const hash = await hashFacts(t.store.reader, tenantId, business)
  const { name, tradingName, registrationNumber, industry, address, status } = business
  const evidence = await evidenceStanding(t.store.reader, tenantId, [id])
  const facts = { name, tradingName, registrationNumber, industry, address, status }
  expect(hash).toBe(fingerprint({ facts, identifiers: [[], [], []], evidence, family: [id] }))
  await reviewed(operator, id, { decision: 'verify', checkedFields: ['name'] })
  await operator.patch(`/businesses/${id}`, { employees: 12 }, { 'if-match': '"1"' })
  expect(await hashFacts(t.store.reader, tenantId, await getBusiness(t.store.reader, tenantId, id))).not.toBe(hash)
})

test('a decision on a record that changed since is rejected, with what changed', async () => {
  const { t, operator } = await reviewWorld()
  const { id } = await createProspect(operator)
  const { fingerprint } = await open(operator, id)
  await operator.patch(`/businesses/${id}`, { industry: 'Farming' }, { 'if-match': '"1"' })
  await addEvidenceTo(operator, id)
  const { status, body } = await operator.post<Refusal>(`/businesses/${id}/reviews`, {
    decision: 'verify',
    fingerprint,
  })
  expect([status, body.code]).toEqual([409, 'review_outdated'])
  expect(body.errors?.map(({ code }) => code)).toEqual(['business.edit', 'evidence.add'])
  expect(body.errors?.[0]?.message).toMatch(/industry$/)
  expect(JSON.stringify(body)).not.toContain('Farming')
  expect(await t.store.reader.selectFrom('reviews').selectAll().execute()).toEqual([])
})

test('the first of two concurrent decisions wins', async () => {
  const { operator, manager } = await reviewWorld()
  const { id } = await createProspect(operator)
  const [one, other] = [await open(operator, id), await open(manager, id)]
  const post = (client: typeof operator, fingerprint: string) =>
    client.post<Refusal>(`/businesses/${id}/reviews`, { ...rejection, fingerprint })
  const answers = await Promise.all([post(operator, one.fingerprint), post(manager, other.fingerprint)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  const lost = answers.find(({ status }) => status === 409)
  expect(lost?.body.errors?.map(({ code }) => code)).toEqual(['review.decide'])
})

test('work on a record leaves its review; facts, evidence and merges outdate it', async () => {
  const { t, operator, manager } = await reviewWorld()
  const ids: string[] = []
  for (const name of ['Worked on', 'Edited', 'Seen again']) {
    const { id } = await createProspect(operator, { name })
    await reviewed(operator, id, { decision: 'verify' })
    ids.push(id)
  }
  const [worked = '', edited = '', seenAgain = ''] = ids
  await operator.patch(`/businesses/${worked}`, { tags: ['Farm'] }, { 'if-match': '"1"' })
  await moveTo(operator, worked, 'contacted')
  await operator.patch(`/businesses/${edited}`, { name: 'Renamed' }, { 'if-match': '"1"' })
  await addEvidenceTo(operator, seenAgain)
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Twin Pumps')
  await reviewed(operator, a, { decision: 'verify' })
  const { body: fresh } = await manager.get<typeof suggestion>(`/match-suggestions/${suggestion.id}`)
  await merged(askMerge(manager, fresh, a))
  await followReviews(t.store)
  const states = []
  for (const id of [worked, edited, seenAgain, a]) states.push((await reviewStateOf(operator, id)).state)
  expect(states).toEqual(['verified', 'outdated', 'outdated', 'outdated'])
  expect((await open(operator, b)).mergeEligible).toBe(false)
})

test('a workspace whose reviews cannot be written does not stop those of the others', async () => {
  const { t, operator } = await reviewWorld()
  const other = await t.as('operator', 'other')
  const ids: string[] = []
  for (const client of [operator, other]) {
    const { id } = await createProspect(client)
    await reviewed(client, id, { decision: 'verify' })
    await client.patch(`/businesses/${id}`, { name: 'Renamed' }, { 'if-match': '"1"' })
    ids.push(id)
  }
  await breakWrites(t, 'review_states', `NEW.tenant_id = '${t.tenants.home.id}'`, 'UPDATE')
  await expect(followReviews(t.store)).rejects.toThrow(AggregateError)
  const rows = await t.store.reader.selectFrom('review_states').select(['business_id', 'state']).execute()
  expect(new Map(rows.map(({ business_id: id, state }) => [id, state]))).toEqual(
    new Map([
      [ids[0], 'verified'],
      [ids[1], 'outdated'],
    ]),
  )
})

test('a do not contact record can be rejected, not verified, and a contradicted fact is not checked', async () => {
  const { operator } = await reviewWorld()
  const { id } = await createProspect(operator)
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const refused = await review(operator, id, { decision: 'verify' })
  expect([refused.status, refused.body.code]).toEqual([422, 'suppressed'])
  expect((await review(operator, id, rejection)).status).toBe(201)
  const doubted = await createProspect(operator, { name: 'Karoo Pumps', industry: 'Pumps' })
  await addEvidenceTo(operator, doubted.id, { field: 'industry', value: 'Restaurants' })
  expect((await open(operator, doubted.id)).contradictedFields).toEqual(['industry'])
  const wrong = await review(operator, doubted.id, { decision: 'verify', checkedFields: ['name', 'industry'] })
  expect([wrong.status, wrong.body.code]).toEqual([422, 'fact_contradicted'])
  expect((await review(operator, doubted.id, { decision: 'verify', checkedFields: ['name'] })).status).toBe(201)
})

test('another spelling of a fact is shown to the reviewer, and the fact can be verified', async () => {
  const { operator } = await reviewWorld()
  const { id } = await createProspect(operator, {
    ...{ name: 'Karoo Grill (Pty) Ltd', emails: [{ value: 'info@karoo.co.za' }], address: { street: '1 Main Rd' } },
  })
  await addEvidenceTo(operator, id, { field: 'name', value: 'KAROO GRILL PTY LTD' })
  await addEvidenceTo(operator, id, { field: 'name', value: 'The Karoo Grill' })
  await addEvidenceTo(operator, id, { field: 'address.street', value: '1 Main Road' })
  await addEvidenceTo(operator, id, { field: 'email', value: 'sales@karoo.co.za' })
  const { contradictedFields, otherSpellings } = await open(operator, id)
  expect(contradictedFields).toEqual([])
  const name = { field: 'name', value: 'Karoo Grill (Pty) Ltd' }
  expect(otherSpellings).toEqual([
    { ...name, claimed: 'The Karoo Grill', agreement: 'compatible', agreementReason: 'article_missing' },
    { ...name, claimed: 'KAROO GRILL PTY LTD', agreement: 'same', agreementReason: null },
    {
      ...{ field: 'address.street', value: '1 Main Rd', claimed: '1 Main Road' },
      ...{ agreement: 'same', agreementReason: null },
    },
  ])
  const verified = await review(operator, id, { decision: 'verify', checkedFields: ['name', 'address.street'] })
  expect(verified.status).toBe(201)
})

test('a merged or inactive record takes no decision and no claim', async () => {
  const { t, operator } = await reviewWorld()
  const { id } = await createProspect(operator)
  const { fingerprint } = await open(operator, id)
  await endProspect(t, id, { status: 'inactive' })
  const { status, body } = await operator.post<Refusal>(`/businesses/${id}/reviews`, { ...rejection, fingerprint })
  expect([status, body.code]).toEqual([422, 'business_not_active'])
  expect(await open(operator, id)).toMatchObject({ mergeEligible: false, claim: null })
})

test('a deferral ends by itself on its day, and lies at most 90 days ahead', async () => {
  const { t, operator } = await reviewWorld()
  const { id } = await createProspect(operator)
  const day = (ahead: number) => daysAfter(t.clock(), ahead).slice(0, 10)
  for (const ahead of [0, 91])
    expect((await review(operator, id, { decision: 'defer', until: day(ahead) })).body.code).toBe('invalid_request')
  await reviewed(operator, id, { decision: 'defer', until: day(3) })
  expect(await reviewStateOf(operator, id)).toMatchObject({ state: 'deferred', isDue: false })
  t.clock.advance(3 * DAY_MS)
  await followReviews(t.store)
  expect(await t.store.reader.selectFrom('review_states').select(['state', 'is_due']).execute()).toEqual([
    { state: 'deferred', is_due: 1 },
  ])
})

test('a review term outdates decisions by time, earlier ones as well', async () => {
  const { t, operator, manager } = await reviewWorld()
  const { id } = await createProspect(operator)
  await reviewed(operator, id, { decision: 'verify' })
  expect((await operator.put('/review-settings', { termDays: 30 }, { 'if-match': '"0"' })).status).toBe(403)
  expect((await manager.put('/review-settings', { termDays: 29 }, { 'if-match': '"0"' })).status).toBe(400)
  expect((await manager.put('/review-settings', { termDays: 30 }, { 'if-match': '"0"' })).status).toBe(200)
  await followReviews(t.store)
  expect((await reviewStateOf(operator, id)).state).toBe('verified')
  t.clock.advance(30 * DAY_MS)
  await followReviews(t.store)
  expect(await t.store.reader.selectFrom('review_states').select(['state', 'is_due']).execute()).toEqual([
    { state: 'outdated', is_due: 1 },
  ])
})

test('the counts of states are those of a full count, whatever becomes of the records', async () => {
  const { t, operator } = await reviewWorld()
  for (const at of [0, 1, 2, 3, 4]) {
    const { id } = await createProspect(operator, { name: `P ${at}` })
    await reviewed(operator, id, at % 2 === 0 ? rejection : { decision: 'verify' })
    if (at === 1) await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
    if (at === 2) await endProspect(t, id, { status: 'inactive' })
    if (at === 3) await reviewed(operator, id, { decision: 'reopen', reason: 'Again.' })
  }
  const rows = await t.store.reader.selectFrom('review_states').selectAll().where('is_active', '=', 1).execute()
  const kept = await t.store.reader.selectFrom('review_counts').selectAll().where('count', '>', 0).execute()
  for (const { state, is_due, do_not_contact, count } of kept)
    expect(
      rows.filter((row) => row.state === state && row.is_due === is_due && row.do_not_contact === do_not_contact),
    ).toHaveLength(count)
  expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length)
})
