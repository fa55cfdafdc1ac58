import { expect, test } from 'vitest'
import { buildTestApp, type TestClient } from '../../../../test/build-app.ts'
import { askMerge, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, type Refusal, walk } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { DAY_MS, daysAfter } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Candidate } from '../../domains/candidates/candidates.schema.ts'
import { sitesOfRecord } from '../scanning.ts'
import type { Scan } from '../scans/scans.schema.ts'
import type { OfficialSite } from '../sites/sites.schema.ts'
import { formWith } from './page-forms.ts'

const reason = 'Their own name is on it.'
type Answered = OfficialSite & Refusal

async function setUp(domains: readonly string[] = ['karoo.co.za']) {
  const t = await buildTestApp()
  const [operator, manager] = [await t.as('operator'), await t.as('manager')]
  const { id } = await createProspect(operator, { domains: domains.map((value) => ({ value })) })
  const propose = (host = 'www.karoo.co.za', businessId = id) =>
    operator.post<Answered>(`/businesses/${businessId}/official-sites`, { host })
  const inDays = (days: number) => daysAfter(t.clock(), days)
  const decide = (site: OfficialSite, body: object = {}, client: TestClient = manager) =>
    client.post<Answered>(
      `/official-sites/${site.id}/decision`,
      { decision: 'approve', reason, fingerprint: site.fingerprint, validUntil: inDays(300), ...body },
      { 'idempotency-key': newId() },
    )
  const read = async () => (await walk<OfficialSite>(operator, `/businesses/${id}/official-sites`))[0] as OfficialSite
  const approved = async () => {
    const wanted = { tenantId: t.tenants.home.id, businessId: id, now: t.clock().toISOString() }
    return (await sitesOfRecord(t.store.reader, wanted)).filter(({ state }) => state === 'approved')
  }
  return { t, operator, manager, id, propose, decide, read, inDays, approved }
}

test('a host of the record is proposed, approved on what was seen, and ends by itself', async () => {
  const { t, propose, decide, inDays, approved } = await setUp()
  const { body: proposed } = await propose('https://WWW.karoo.co.za/contact')
  expect(proposed).toMatchObject({ host: 'www.karoo.co.za', state: 'proposed', origin: 'person', usedByOthers: 0 })
  const { body: site } = await decide(proposed)
  expect(site).toMatchObject({ state: 'approved', reason, validUntil: inDays(300) })
  expect(await approved()).toEqual([{ id: site.id, host: 'www.karoo.co.za', state: 'approved' }])
  t.clock.advance(300 * DAY_MS)
  expect([
    (await approved()).length,
    (await t.store.reader.selectFrom('official_site_decisions').selectAll().execute()).length,
  ]).toEqual([0, 1])
  expect(await t.changes(() => upkeepOf('scanning', t.store))).toEqual({ official_site_decisions: 1, audit_events: 1 })
  t.clock.advance(-DAY_MS)
  expect(await approved()).toEqual([])
  t.clock.advance(DAY_MS)
  expect(await t.changes(() => upkeepOf('scanning', t.store))).toEqual({})
})

test('an approved site counts however many sites of the prospect were proposed after it', async () => {
  const { t, id, propose, decide, approved } = await setUp()
  const { body: site } = await decide((await propose()).body)
  const { id: tenantId } = t.tenants.home
  await t.store.write({ tenantId }, async (db) => {
    const row = { tenant_id: tenantId, business_id: id, origin: 'person', domain_candidate_id: null } as const
    for (let at = 0; at < 401; at++) {
      const written = { id: newId(), host: `s${at}.karoo.co.za`, created_at: '', created_by: 'x' }
      await db
        .insertInto('official_sites')
        .values({ ...row, ...written })
        .execute()
    }
    return { keep: true, value: undefined }
  })
  expect(await approved()).toEqual([{ id: site.id, host: 'www.karoo.co.za', state: 'approved' }])
})

test('the person who proposed a site can reject it, and another person must approve it', async () => {
  const { t, manager, id, decide, read } = await setUp()
  await manager.post(`/businesses/${id}/official-sites`, { host: 'www.karoo.co.za' })
  const own = await t.changes(async () => {
    const refused = await decide(await read())
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      422,
      'own_approval',
      'You proposed this site. Another person must decide.',
    ])
  })
  expect(own).toEqual({ audit_events: 1 })
  expect((await decide(await read(), {}, await t.as('administrator'))).status).toBe(200)
  await manager.post(`/businesses/${id}/official-sites`, { host: 'karoo.co.za' })
  expect((await decide(await read(), { decision: 'reject', validUntil: null })).body).toMatchObject({
    state: 'rejected',
  })
})

test('a site is rejected or withdrawn with a reason, and only from the state for it', async () => {
  const { propose, decide, approved } = await setUp()
  const { body: first } = await propose()
  expect((await decide(first, { decision: 'withdraw', validUntil: null })).body.code).toBe('conflict')
  const rejected = await decide(first, { decision: 'reject', validUntil: null })
  expect(rejected.body.state).toBe('rejected')
  expect((await decide(rejected.body)).body.code).toBe('conflict')
  const { body: second } = await propose()
  const { body: site } = await decide(second)
  expect((await propose()).body.code).toBe('conflict')
  expect((await decide(site, { decision: 'withdraw', validUntil: null })).body.state).toBe('withdrawn')
  expect(await approved()).toEqual([])
})

test('approving and rejecting a site require a fresh proof of identity; withdrawing it does not', async () => {
  const { t, propose, decide } = await setUp(['karoo.co.za', 'karoo.com'])
  const { body: site } = await decide((await propose()).body)
  const { body: proposed } = await propose('karoo.com')
  t.clock.advance(16 * 60_000)
  const codes = []
  for (const decision of ['approve', 'reject'])
    codes.push((await decide(proposed, { decision, ...(decision === 'reject' && { validUntil: null }) })).body.code)
  expect(codes).toEqual(['step_up_required', 'step_up_required'])
  expect((await decide(site, { decision: 'withdraw', validUntil: null })).body.state).toBe('withdrawn')
})

test.each([
  ['other.co.za', 422, 'host_not_on_record'],
  ['notkaroo.co.za', 422, 'host_not_on_record'],
  ['facebook.com', 422, 'shared_host'],
  ['gmail.com', 422, 'shared_host'],
  ['karoo.blogspot.com', 201, undefined],
  ['shop.karoo.co.za', 201, undefined],
  ['127.0.0.1', 400, 'invalid_request'],
  ['karoo.co.za:8443', 400, 'invalid_request'],
])('%s: %s %s', async (host, status, code) => {
  const { propose } = await setUp(['karoo.co.za', 'facebook.com', 'gmail.com', 'karoo.blogspot.com'])
  const answer = await propose(host)
  expect([answer.status, answer.body.code]).toEqual([status, code])
})

test('a domain that was accepted for the record is a host of it, and a site is proposed from it until it is withdrawn', async () => {
  const { t, operator, manager, id, decide, read } = await setUp()
  const { body: candidate } = await operator.post<Candidate>('/domain-candidates', {
    domain: 'karoo-wind.co.za',
    businessId: id,
    reason,
  })
  const propose = (body: object, businessId = id) =>
    operator.post<Answered>(`/businesses/${businessId}/official-sites`, { host: 'www.karoo-wind.co.za', ...body })
  const domainCandidateId = candidate.id
  const codeOf = async (answer: ReturnType<typeof propose>) => [(await answer).status, (await answer).body.code]
  expect(await codeOf(propose({}))).toEqual([422, 'host_not_on_record'])
  const decision = { decision: 'accept', reason, fingerprint: candidate.fingerprint }
  await manager.post(`/domain-candidates/${domainCandidateId}/decision`, decision)
  expect(await codeOf(propose({ host: 'karoo.co.za', domainCandidateId }))).toEqual([422, 'host_not_on_record'])
  const { id: other } = await createProspect(operator, { domains: [{ value: 'karoo-wind.co.za' }] })
  expect(await codeOf(propose({ domainCandidateId }, other))).toEqual([404, 'not_found'])
  const { status, body: site } = await propose({ domainCandidateId })
  expect([status, site]).toMatchObject([201, { origin: 'domain_association', state: 'proposed', usedByOthers: 1 }])
  const [stored] = await t.store.reader.selectFrom('official_sites').select('domain_candidate_id').execute()
  expect(stored).toEqual({ domain_candidate_id: domainCandidateId })
  const form = formWith('<p>x</p>', { url: 'https://karoo-wind.co.za/' })
  const headers = { 'content-type': form.contentType, 'idempotency-key': newId() }
  const page = await operator.post<Scan>(`/businesses/${id}/supplied-pages`, form.body, headers)
  expect([page.status, page.body.reasons]).toEqual([201, []])

  const seen = await read()
  await manager.post(`/domain-candidates/${domainCandidateId}/withdrawal`, { reason })
  expect(await codeOf(decide(seen, { confirmUsedByOthers: true }))).toEqual([409, 'site_changed'])
  expect(await codeOf(decide(await read(), { confirmUsedByOthers: true }))).toEqual([422, 'host_not_on_record'])
  expect(await codeOf(propose({ domainCandidateId }))).toEqual([422, 'host_not_on_record'])
})

test('an approval needs an end of at most 366 days, ahead of now', async () => {
  const { propose, decide, inDays } = await setUp()
  const { body: site } = await propose()
  for (const validUntil of [null, inDays(0), inDays(367)])
    expect((await decide(site, { validUntil })).body.errors?.[0]?.path).toBe('validUntil')
  expect((await decide(site, { validUntil: inDays(366) })).status).toBe(200)
})

test('a host that another prospect has is approved only after an explicit confirmation', async () => {
  const { operator, propose, decide } = await setUp()
  await createProspect(operator, { name: 'Another', domains: [{ value: 'karoo.co.za' }] })
  const { body: site } = await propose('shop.karoo.co.za')
  expect(site.usedByOthers).toBe(1)
  expect((await decide(site)).body.code).toBe('confirmation_required')
  expect((await decide(site, { confirmUsedByOthers: true })).body.state).toBe('approved')
})

test('a page reads each site as a decision reads the site alone: other prospects, merged records and scans', async () => {
  const { t, operator, manager, id, propose, decide } = await setUp(['karoo.co.za', 'karoo-wind.co.za'])
  const domains = [{ value: 'karoo.co.za' }]
  const pair = await suggestedPair(t, operator, 'Hantam Pumps', [{ domains }, { domains }])
  for (const name of ['Overberg', 'Cederberg']) await createProspect(operator, { name, domains })
  for (const [host, businessId] of [
    ['www.karoo.co.za', id],
    ['karoo-wind.co.za', id],
    ['shop.karoo.co.za', pair.a],
    ['www.karoo.co.za', pair.b],
  ] as const)
    expect((await propose(host, businessId)).status).toBe(201)
  const form = formWith('<p>x</p>', { url: 'https://www.karoo.co.za/' })
  const headers = { 'content-type': form.contentType, 'idempotency-key': newId() }
  expect((await operator.post(`/businesses/${pair.b}/supplied-pages`, form.body, headers)).status).toBe(201)
  await merged(askMerge(manager, await suggestionOfPair(manager, pair.a, pair.b), pair.a))
  const list = () => walk<OfficialSite>(operator, '/official-sites')
  const [, , , first] = await list()
  if (first === undefined) throw new Error('The site is not listed.')
  expect((await decide(first, { confirmUsedByOthers: true })).status).toBe(200)

  const sites = await list()
  expect(sites.map(({ host, usedByOthers }) => [host, usedByOthers])).toEqual([
    ['www.karoo.co.za', 4],
    ['shop.karoo.co.za', 3],
    ['karoo-wind.co.za', 0],
    ['www.karoo.co.za', 3],
  ])
  for (const site of sites.filter(({ state }) => state === 'proposed'))
    expect((await decide(site, { decision: 'reject', validUntil: undefined })).status).toBe(200)
})

test('a decision on changed data is refused and names what changed', async () => {
  const { operator, id, propose, decide, read } = await setUp()
  const { body: seen } = await propose()
  const changes: [() => Promise<unknown>, string][] = [
    [() => createProspect(operator, { name: 'Another', domains: [{ value: 'karoo.co.za' }] }), 'Other prospects'],
    [
      () => {
        const form = formWith('<p>x</p>', { url: 'https://www.karoo.co.za/' })
        const headers = { 'content-type': form.contentType, 'idempotency-key': newId() }
        return operator.post(`/businesses/${id}/supplied-pages`, form.body, headers)
      },
      'There is a newer scan',
    ],
    [
      () => operator.patch(`/businesses/${id}`, { name: 'Karoo Wind' }, { 'if-match': '"1"' }),
      'The name, the status or a domain of the record changed',
    ],
  ]
  let before: OfficialSite = seen
  for (const [work, words] of changes) {
    await work()
    const { status, body } = await decide(before, { confirmUsedByOthers: true })
    expect([status, body.code, body.errors?.map(({ message }) => message)]).toEqual([
      409,
      'site_changed',
      [expect.stringContaining(words)],
    ])
    before = await read()
  }
  expect((await decide(before, { confirmUsedByOthers: true })).status).toBe(200)
  expect((await decide(before, { confirmUsedByOthers: true })).body.errors?.[0]?.message).toContain('Somebody decided')
})

test('sites of a do-not-contact prospect are not approved, and their hosts and reasons are hidden', async () => {
  const { t, id, propose, decide, read } = await setUp()
  const [administrator, viewer] = [await t.as('administrator'), await t.as('viewer')]
  await propose()
  await administrator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  expect((await decide(await read())).body.code).toBe('suppressed')
  expect((await propose('karoo.co.za')).body.code).toBe('suppressed')
  await decide(await read(), { decision: 'reject', validUntil: null })
  const seenBy = async (client: TestClient) => (await walk<OfficialSite>(client, '/official-sites'))[0]
  expect(await seenBy(viewer)).toMatchObject({ host: '•••', reason: '•••', valuesHidden: true })
  expect(await seenBy(administrator)).toMatchObject({ host: 'www.karoo.co.za', reason, valuesHidden: false })
})

test('an erasure takes hosts and reasons away; that sites were decided stays', async () => {
  const { t, id, propose, decide } = await setUp()
  const { body: site } = await propose()
  await decide(site)
  const administrator = await t.as('administrator')
  expect((await administrator.post(`/businesses/${id}/erasure`, { reason: 'The person asked.' })).status).toBe(200)
  const [row] = await t.store.reader.selectFrom('official_sites').selectAll().execute()
  const [decision] = await t.store.reader.selectFrom('official_site_decisions').selectAll().execute()
  expect([row?.host, decision?.reason, decision?.decision]).toEqual([null, 'Erased.', 'approve'])
})
