import { expect, test } from 'vitest'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { endProspect, type ListPage, type Problem, walk } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Candidate, CandidateSummary } from '../candidates/candidates.schema.ts'
import type { DomainDetail, DomainSummary } from '../list/domains.schema.ts'
import { domainsWorld } from './domains-world.ts'

const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as Problem).code]

test('a claim that the record lacks, its mail domain and a known label equal to its name become candidates', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo Windpumps', { emails: ['info@karoo-mail.co.za', 'jan@gmail.com'] })
  await world.claim(id, 'https://shop.karoo.co.za/about', { confidence: 'high' })
  await world.prospect('Somebody Else', { domains: ['karoowindpumps.co.za'] })
  await world.follow()
  const found = await Promise.all((await world.open()).map(({ id: one }) => world.candidate(one)))
  expect(
    found.map(({ domain, band, evidence }) => [domain, band, evidence.for.map(({ code }) => code)]).toSorted(),
  ).toEqual([
    ['karoo-mail.co.za', 'medium', ['email_domain']],
    ['karoo.co.za', 'medium', ['claim']],
    ['karoowindpumps.co.za', 'low', ['name']],
  ])
  const named = found.find(({ domain }) => domain === 'karoowindpumps.co.za')
  expect(named).toMatchObject({
    flags: { conflictingEvidence: { value: 'yes' }, shared: { value: 'likely' }, parked: { value: 'unknown' } },
    uncertainty: ['dns_not_checked', 'name_alone'],
    otherBusinesses: [{ name: 'Somebody Else' }],
    algorithmVersion: 'domains-4',
  })
  await world.follow()
  expect(await world.open()).toHaveLength(3)
})

test('the confidence follows the age of its evidence, in the list and without a change of the record', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo Windpumps')
  await world.claim(id, 'karoo.co.za', { confidence: 'high' })
  await world.follow()
  expect((await world.open()).map(({ band }) => band)).toEqual(['medium'])
  world.t.clock.advance(366 * 86_400_000)
  await upkeepOf('domains', world.t.store)
  const { id: tenantId, users } = world.t.tenants.home
  const session = await world.t.startSession({ tenantId, userId: users.manager.id, role: 'manager' })
  const later = world.t.withSession(session)
  const { body } = await later.get<ListPage<CandidateSummary>>('/domain-candidates')
  expect(body.items.map(({ band }) => band)).toEqual(['low'])
  const { body: aged } = await later.get<Candidate>(`/domain-candidates/${body.items[0]?.id}`)
  expect([aged.band, aged.uncertainty]).toEqual(['low', ['dns_not_checked', 'claim_stale']])
  const events = async () => (await walk<AuditEvent>(later, '/audit-events?action=domain_candidate.derive')).length
  const before = await events()
  await upkeepOf('domains', world.t.store)
  expect(await events()).toBe(before)
})

test('a mail host of several prospects is flagged with their number, for all of them, and has low confidence', async () => {
  const world = await domainsWorld()
  const names = ['Karoo', 'Overberg', 'Cederberg', 'Hantam']
  for (const name of names) {
    await world.prospect(name, { emails: [`${name.toLowerCase()}@mailhost.co.za`] })
    await world.follow()
  }
  const summaries = await world.open()
  expect(summaries).toHaveLength(names.length)
  for (const { id, band, flags } of summaries) {
    expect([band, flags]).toEqual(['low', ['shared', 'conflictingEvidence']])
    const { flags: shown, evidence, otherBusinesses, isCurrent } = await world.candidate(id)
    expect(shown.shared).toEqual({ value: 'likely', reason: '3 other prospects use it.' })
    expect(shown.conflictingEvidence).toEqual({ value: 'yes', reason: '3 other prospects use it.' })
    expect(evidence.against.map(({ code }) => code)).toEqual(['other_mail', 'other_mail', 'other_mail'])
    expect([otherBusinesses.length, isCurrent]).toEqual([3, true])
  }
})

test('one more of many prospects at a mail host writes no candidate of the others, which show the new number', async () => {
  const world = await domainsWorld()
  const add = (at: number) => world.prospect(`Karoo ${at}`, { emails: [`k${at}@mailhost.co.za`] })
  for (let at = 0; at < 7; at++) await add(at)
  await world.follow()
  const [newest] = await world.open()
  const events = () => walk<AuditEvent>(world.manager, '/audit-events?action=domain_candidate.derive')
  const before = (await events()).length
  await add(7)
  await world.follow()
  const added = (await events()).slice(0, -before)
  expect(added.map(({ after }) => after)).toEqual([{ opened: 1, updated: 0, superseded: 0 }])
  expect((await world.candidate(newest?.id ?? '')).flags.shared.reason).toBe('7 other prospects use it.')
})

test('prospects above the maximum of a change keep their evaluation, and an event states their number', async () => {
  const world = await domainsWorld()
  const add = (at: number) => world.prospect(`Karoo ${at}`, { emails: [`k${at}@mailhost.co.za`] })
  for (let at = 0; at < 203; at++) await add(at)
  await world.follow()
  const events = () => walk<AuditEvent>(world.manager, '/audit-events?action=domain_candidate.derive', 200)
  const before = (await events()).length
  await add(203)
  await world.follow()
  const added = (await events()).slice(0, -before)
  expect(added.map(({ after }) => after)).toEqual([{ leftOut: 3 }, { opened: 1, updated: 0, superseded: 0 }])
})

test('a rejected candidate stays rejected when more prospects use its domain', async () => {
  const world = await domainsWorld()
  await world.prospect('Karoo', { emails: ['info@mailhost.co.za'] })
  await world.follow()
  const rejected = await world.only()
  await world.decide(rejected, { decision: 'reject' })
  await world.prospect('Overberg', { emails: ['info@mailhost.co.za'] })
  await world.follow()
  expect((await world.open()).map(({ business }) => business.name)).toEqual(['Overberg'])
  expect((await world.candidate(rejected.id)).state).toBe('rejected')
})

test('two prospects whose evidence claims one domain are flagged as conflicting, and an acceptance is shown on the other', async () => {
  const world = await domainsWorld()
  const ids = [await world.prospect('Karoo'), await world.prospect('Overberg')]
  for (const id of ids) {
    await world.claim(id, 'karoo-pumps.co.za', { confidence: 'high' })
    await world.follow()
  }
  const open = await world.open()
  expect(open.map(({ flags }) => flags)).toEqual([['conflictingEvidence'], ['conflictingEvidence']])
  const [first, second] = open
  const accepted = await world.candidate(first?.id ?? '')
  expect(accepted.flags.conflictingEvidence.reason).toBe('It is also proposed for 1 other prospect.')
  expect((await world.decide(accepted)).status).toBe(200)
  await world.follow()
  const stored = await world.t.store.reader
    .selectFrom('domain_candidate_states')
    .select('evaluation')
    .where('candidate_id', '=', second?.id ?? '')
    .executeTakeFirstOrThrow()
  expect(stored.evaluation).toContain('It was accepted for another prospect.')
})

test('until the changes of other prospects are counted, a candidate does not say that nobody uses its domain', async () => {
  const world = await domainsWorld()
  await world.prospect('Karoo', { emails: ['info@mailhost.co.za'] })
  await world.follow()
  const before = await world.only()
  expect([before.isCurrent, before.flags.shared.value]).toEqual([true, 'no'])
  await world.prospect('Overberg', { emails: ['info@mailhost.co.za'] })
  const uncounted = await world.candidate(before.id)
  expect([uncounted.isCurrent, uncounted.flags.shared, uncounted.flags.conflictingEvidence.value]).toEqual([
    false,
    { value: 'unknown', reason: 'Newer changes of prospects are not counted yet.' },
    'unknown',
  ])
  expect(uncounted.fingerprint).toBe(before.fingerprint)
  await world.follow()
  expect((await world.candidate(before.id)).flags.shared.value).toBe('likely')
})

test('derived candidates are an event of the audit and no security event', async () => {
  const world = await domainsWorld()
  await world.prospect('Karoo Windpumps', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const administrator = await world.t.as('administrator')
  const eventsOf = async (list: string) =>
    (await administrator.get<{ items: AuditEvent[] }>(`/${list}?action=domain_candidate.derive`)).body.items.length
  expect([await eventsOf('audit-events'), await eventsOf('security-events')]).toEqual([1, 0])
})

test('free mail, addresses without a domain, names of a trade and unresolvable claims become none', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Plumbing', { emails: ['karoo@gmail.com', 'a@mweb.co.za'] })
  await world.claim(id, 'co.za')
  await world.claim(id, '127.1')
  await world.claim(id, 'localhost')
  await world.prospect('Another', { domains: ['plumbing.co.za'] })
  await world.prospect('Email', { emails: ['jan@yahoo.com'] })
  await world.follow()
  expect(await world.open()).toEqual([])
})

test('a candidate ends when its evidence is gone, and its decision is refused then', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const candidate = await world.only()
  const { headers } = await world.operator.get(`/businesses/${id}`)
  await world.operator.patch(`/businesses/${id}`, { emails: [] }, { 'if-match': `${headers.etag}` })
  const refused = await world.decide(candidate)
  expect(codeOf(refused)).toEqual([409, 'candidate_changed'])
  expect(refused.body.errors?.map(({ code }) => code)).toEqual(['evidence'])
  await world.follow()
  expect((await world.candidate(candidate.id)).state).toBe('superseded')
  expect(codeOf(await world.decide(candidate))).toEqual([409, 'candidate_not_open'])
})

test('an accepted candidate is an association and does not touch the record; only if asked it is added to it', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const candidate = await world.only()
  const { status, body } = await world.decide(candidate)
  expect([status, body.candidate.state, body.candidate.decision]).toMatchObject([
    200,
    'accepted',
    { decision: 'accept', reason: 'They confirmed it.' },
  ])
  const business = async (one: string) => (await world.operator.get<Business>(`/businesses/${one}`)).body
  expect((await business(id)).domains).toEqual([])
  const detail = (await world.viewer.get<DomainDetail>('/domains/karoo-mail.co.za')).body
  expect(detail.associations).toMatchObject([{ business: { id }, originBusinessId: id, withdrawnAt: null }])
  const other = await world.prospect('Other', { emails: ['info@other-mail.co.za'] })
  await world.follow()
  await world.decide(await world.only(), { addToRecord: true })
  expect((await business(other)).domains).toMatchObject([{ value: 'other-mail.co.za', normalized: 'other-mail.co.za' }])
  const actions = (await walk<AuditEvent>(world.operator, `/businesses/${other}/activity`)).map(({ action }) => action)
  expect(actions.slice(0, 2)).toEqual(['domain_candidate.accept', 'business.edit'])
})

test('a rejected candidate stays so until its evidence changed; then a new one refers to it', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const first = await world.only()
  expect((await world.decide(first, { decision: 'reject' })).body.candidate.state).toBe('rejected')
  await world.follow()
  expect(await world.open()).toEqual([])
  await world.claim(id, 'karoo-mail.co.za')
  await world.follow()
  const again = await world.only()
  expect(again).toMatchObject({ domain: 'karoo-mail.co.za', previousCandidateId: first.id })
  expect((await world.candidate(first.id)).state).toBe('rejected')
})

test('the second of two people gets what the first decided, and a withdrawal ends an accepted one once', async () => {
  const world = await domainsWorld()
  await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const candidate = await world.only()
  const answers = await Promise.all([world.decide(candidate), world.decide(candidate, { decision: 'reject' })])
  expect(answers.map(codeOf).toSorted()).toEqual([
    [200, undefined],
    [409, 'candidate_not_open'],
  ])
  const accepted = answers[0]?.status === 200
  const withdraw = () => world.manager.post(`/domain-candidates/${candidate.id}/withdrawal`, { reason: 'A mistake.' })
  expect((await withdraw()).status).toBe(accepted ? 200 : 409)
  expect(codeOf(await withdraw())).toEqual([409, 'candidate_not_open'])
})

test('a person proposes a domain; what cannot be one, free mail and what is known are refused', async () => {
  const world = await domainsWorld()
  const businessId = await world.prospect('Karoo', { domains: ['www.karoo.co.za'] })
  const propose = (domain: string, id = businessId) =>
    world.operator.post('/domain-candidates', { domain, businessId: id, reason: 'On the letterhead.' })
  for (const [domain, reason] of [
    ['co.za', 'public_suffix'],
    ['127.1', 'ip_literal'],
    ['karoo', 'single_label'],
    ['a..b', 'malformed'],
  ] as const) {
    const refused = await propose(domain)
    expect([...codeOf(refused), (refused.body as Problem).errors?.[0]?.code]).toEqual([
      422,
      'domain_not_resolvable',
      reason,
    ])
  }
  const shared = await propose('facebook.com')
  expect([...codeOf(shared), (shared.body as Problem).detail]).toEqual([
    ...[422, 'free_mail_domain', 'Anybody can have a page at facebook.com, so the domain belongs to no business.'],
  ])
  expect(((await propose('gmail.com')).body as Problem).detail).toContain('Anybody can have a mailbox at gmail.com')
  expect(codeOf(await propose('gmail.com'))).toEqual([422, 'free_mail_domain'])
  expect(codeOf(await propose('shop.karoo.co.za'))).toEqual([409, 'conflict'])
  expect((await propose('karoo.github.io')).body).toMatchObject({
    domain: 'karoo.github.io',
    origin: 'person',
    uncertainty: ['private_suffix', 'dns_not_checked'],
  })
  expect((await propose('karoo.lan')).body).toMatchObject({
    uncertainty: ['unknown_suffix', 'dns_not_checked'],
    currentSuffixList: { reason: 'unknown_suffix' },
  })
  expect(codeOf(await propose('karoo.github.io'))).toEqual([409, 'conflict'])
  expect(codeOf(await propose('b.co.za', 'nothing'))).toEqual([404, 'not_found'])
  await endProspect(world.t, businessId, { status: 'inactive' })
  expect(codeOf(await propose('b.co.za'))).toEqual([422, 'business_not_active'])
})

test('a candidate shows its host as it was typed or claimed, beside the domain that somebody can hold', async () => {
  const world = await domainsWorld()
  const karoo = await world.prospect('Karoo', { emails: ['info@mail.karoo-post.co.za'] })
  await world.claim(karoo, 'https://Shop.Karoo-Web.co.za/contact?from=a')
  const named = await world.prospect('Windpump Karoo', { domains: ['windpumpkaroo.co.za'] })
  const namesake = await world.prospect('Windpump Karoo')
  await world.follow()
  const businessId = await world.prospect('Overberg')
  const typed = { domain: 'HTTPS://South.Overberg-Web.co.za./about', businessId, reason: 'On the letterhead.' }
  expect((await world.operator.post('/domain-candidates', typed)).body).toMatchObject({
    domain: 'overberg-web.co.za',
    host: 'South.Overberg-Web.co.za',
  })
  const listed = (await world.open()).map(({ domain, host, business }) => [domain, host, business.id])
  expect(listed.toSorted()).toEqual([
    ['karoo-post.co.za', 'mail.karoo-post.co.za', karoo],
    ['karoo-web.co.za', 'Shop.Karoo-Web.co.za', karoo],
    ['overberg-web.co.za', 'South.Overberg-Web.co.za', businessId],
    ['windpumpkaroo.co.za', null, namesake],
  ])
  expect(named).not.toBe(namesake)
})

test('a decision is refused when what the person saw changed, and says what', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const seen = await world.only()
  await world.prospect('Neighbour', { domains: ['karoo-mail.co.za'] })
  await world.follow()
  const refused = await world.decide(seen)
  expect([codeOf(refused), refused.body.errors?.map(({ code }) => code)]).toEqual([
    [409, 'candidate_changed'],
    ['evidence', 'flags'],
  ])
  const now = await world.candidate(seen.id)
  const entry = { kind: 'domain', value: 'karoo-mail.co.za', scope: 'exact', reason: 'They asked.', channel: 'phone' }
  await world.manager.post('/suppressions', entry)
  expect((await world.decide(now)).body.errors?.map(({ code }) => code)).toEqual(['suppression'])
  await endProspect(world.t, id, { status: 'inactive' })
  expect(codeOf(await world.decide(now))).toEqual([422, 'business_not_active'])
})

test('accepting a suppressed domain marks the record, which was shown before, and no decision lifts it', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo')
  const entry = {
    kind: 'domain',
    value: 'karoo.co.za',
    scope: 'with_subdomains',
    reason: 'They asked.',
    channel: 'phone',
  }
  await world.manager.post('/suppressions', entry)
  const { body } = await world.operator.post<{ id: string }>('/domain-candidates', {
    domain: 'karoo.co.za',
    businessId: id,
    reason: 'On the letterhead.',
  })
  const shown = await world.candidate(body.id)
  expect(shown).toMatchObject({ doNotContact: true, wouldMark: [{ id, name: 'Karoo' }] })
  await world.decide(shown)
  const blocked = async () => (await world.operator.get<Business>(`/businesses/${id}`)).body.doNotContact
  expect(await blocked()).not.toBeNull()
  await world.manager.post(`/domain-candidates/${body.id}/withdrawal`, { reason: 'A mistake.' })
  expect(await blocked()).not.toBeNull()
})

test('a later suppression of an accepted domain marks its record', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  await world.decide(await world.only())
  await world.manager.post('/suppressions', {
    kind: 'domain',
    value: 'karoo-mail.co.za',
    scope: 'exact',
    reason: 'They asked.',
    channel: 'phone',
  })
  expect((await world.operator.get<Business>(`/businesses/${id}`)).body.doNotContact).not.toBeNull()
})

test('a viewer does not see the domain of a do not contact record with it, nor words about it', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'], domains: ['karoo.co.za'] })
  await world.follow()
  const { id: candidateId } = await world.only()
  await world.operator.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const { body } = await world.viewer.get<{ domain: string }>(`/domain-candidates/${candidateId}`)
  expect(body.domain).toBe('•••')
  expect(JSON.stringify(body)).not.toContain('karoo-mail')
  const [summary] = await walk<{ domain: string }>(world.viewer, '/domain-candidates')
  expect(summary?.domain).toBe('•••')
  // A guess gets the answer of a domain that nobody has.
  for (const path of ['/domains/karoo.co.za', '/domains/unseen.co.za'])
    expect([path, (await world.viewer.get(path)).status]).toEqual([path, 404])
  expect((await world.operator.get<DomainDetail>('/domains/karoo.co.za')).body).toMatchObject({
    businesses: [{ id, doNotContact: true }],
  })
})

test('a look-alike is flagged by grade and never rejected', async () => {
  const world = await domainsWorld()
  await world.prospect('Paypal', { domains: ['paypal.co.za'] })
  const id = await world.prospect('Other Business')
  await world.claim(id, 'раypal.co.za')
  await world.claim(id, 'paypa1.co.za')
  await world.follow()
  const found = await Promise.all((await world.open()).map(({ id: one }) => world.candidate(one)))
  expect(found.map(({ lookalikes }) => lookalikes.map(({ domain, grade }) => [domain, grade])).toSorted()).toEqual([
    [['paypal.co.za', 'foreign_letters']],
    [['paypal.co.za', 'similar_letters']],
  ])
  for (const { flags, state } of found) expect([flags.homograph.value, state]).toEqual(['yes', 'open'])
})

test('a viewer sees that there is a look-alike, but not its name if a do not contact record has it', async () => {
  const world = await domainsWorld()
  const blocked = await world.prospect('Paypal', { domains: ['paypal.co.za'] })
  const id = await world.prospect('Other Business')
  await world.claim(id, 'paypa1.co.za')
  // The blocked record has this domain too, so the candidate of the other record is hidden with it.
  await world.claim(id, 'paypal.co.za')
  await world.follow()
  await world.operator.post(`/businesses/${blocked}/do-not-contact`, { reason: 'They asked.' })
  await world.follow()
  const answers = [
    await world.viewer.get<DomainDetail>('/domains/paypa1.co.za'),
    await world.viewer.get('/domain-candidates'),
    ...(await Promise.all((await world.open()).map((one) => world.viewer.get(`/domain-candidates/${one.id}`)))),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.length).toBe(4)
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('paypal')
  expect(answers[0]?.body).toMatchObject({ lookalikes: [{ domain: '•••', grade: 'similar_letters' }] })
  const { lookalikes } = (await world.operator.get<DomainDetail>('/domains/paypa1.co.za')).body
  expect(lookalikes).toMatchObject([{ domain: 'paypal.co.za' }])
})

test('DNS supports a candidate and creates none; a parking service and answers to any name are flagged', async () => {
  const world = await domainsWorld()
  const at = world.t.clock().toISOString()
  const observe = (name: string, kind: string, record: object) =>
    world.operator.post('/dns-observations', {
      name,
      kind,
      status: 'resolved',
      records: [{ kind, ttl: 3_600, ...record }],
      source: 'dig',
      observedAt: at,
    })
  await observe('karoo-mail.co.za', 'MX', { preference: 10, exchange: 'mx.example' })
  await observe('karoo-mail.co.za', 'NS', { host: 'ns1.sedoparking.com' })
  await observe('a1b2c3.karoo-mail.co.za', 'MX', { preference: 10, exchange: 'mx.example' })
  await observe('zzz.karoo-mail.co.za', 'MX', { preference: 10, exchange: 'mx.example' })
  await world.follow()
  expect(await world.open()).toEqual([])
  await world.prospect('Karoo', { emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  expect(await world.only()).toMatchObject({
    evidence: { for: [{ code: 'email_domain' }, { code: 'mx' }] },
    flags: { parked: { value: 'yes' }, wildcard: { value: 'yes' } },
    freshness: { dns: 'fresh' },
  })
})

test('a merge shows an accepted domain on the survivor with its origin, and a reversal gives it back', async () => {
  const world = await domainsWorld()
  const { a, b } = await suggestedPair(world.t, world.manager, 'Karoo Pumps')
  const { body } = await world.operator.post<{ id: string; fingerprint: string }>('/domain-candidates', {
    domain: 'karoo-pumps-shop.co.za',
    businessId: b,
    reason: 'On the letterhead.',
  })
  await world.decide(body)
  const associations = async () =>
    (await world.operator.get<DomainDetail>('/domains/karoo-pumps-shop.co.za')).body.associations.map(
      ({ business, originBusinessId }) => [business.id, originBusinessId],
    )
  expect(await associations()).toEqual([[b, b]])
  const merge = await merged(askMerge(world.manager, await suggestionOfPair(world.manager, a, b), a))
  await world.follow()
  expect(await associations()).toEqual([[a, b]])
  expect((await world.open(`?state=accepted&businessId=${a}`)).map(({ id }) => id)).toEqual([body.id])
  expect((await world.open()).filter(({ domain }) => domain === 'karoo-pumps-shop.co.za')).toEqual([])
  await askReversal(world.manager, merge.id)
  await world.follow()
  expect(await associations()).toEqual([[b, b]])
})

test('domains are listed with who uses them, what is known and what waits', async () => {
  const world = await domainsWorld()
  await world.prospect('Karoo', { domains: ['www.karoo.co.za'], emails: ['info@karoo-mail.co.za'] })
  await world.follow()
  const list = (query = '') => walk<DomainSummary>(world.viewer, `/domains${query}`)
  expect((await list()).map(({ domain, uses, openCandidates }) => [domain, uses, openCandidates])).toEqual([
    ['karoo-mail.co.za', 1, 1],
    ['karoo.co.za', 1, 0],
  ])
  expect((await list('?isWaiting=true')).map(({ domain }) => domain)).toEqual(['karoo-mail.co.za'])
  expect((await list('?search=karoo.'))[0]).toMatchObject({
    domain: 'karoo.co.za',
    businesses: [{ name: 'Karoo', doNotContact: false }],
    statuses: [
      { kind: 'MX', status: 'not_checked', state: null },
      { kind: 'NS', status: 'not_checked', state: null },
      { kind: 'TXT', status: 'not_checked', state: null },
    ],
  })
  const detail = (await world.viewer.get<DomainDetail>('/domains/www.karoo.co.za')).body
  expect(detail).toMatchObject({
    label: 'karoo',
    suffix: 'co.za',
    businesses: [{ byRecord: true, hosts: ['karoo.co.za'] }],
  })
  expect((await world.viewer.get('/domains/unknown.co.za')).status).toBe(404)
  expect((await (await world.t.as('administrator', 'other')).get('/domains/karoo.co.za')).status).toBe(404)
})

test('an erasure empties candidates, accepted domains and the observations of domains that nobody else has', async () => {
  const world = await domainsWorld()
  const id = await world.prospect('Karoo', {
    domains: ['karoo.co.za', 'shared-building.co.za'],
    emails: ['info@karoo-mail.co.za'],
  })
  await world.prospect('Neighbour', { domains: ['shared-building.co.za'] })
  await world.follow()
  const observe = (name: string) =>
    world.operator.post('/dns-observations', {
      name,
      kind: 'NS',
      status: 'nxdomain',
      source: 'dig',
      observedAt: world.t.clock().toISOString(),
      raw: `dig ${name}`,
    })
  for (const name of ['karoo.co.za', 'karoo-mail.co.za', 'shared-building.co.za']) await observe(name)
  await world.decide(await world.only(), { reason: 'Jan of karoo-mail said so.' })
  const administrator = await world.t.as('administrator')
  const erased = await administrator.post<{ erased: object }>(`/businesses/${id}/erasure`, {
    reason: 'They asked.',
    suppress: false,
  })
  expect([erased.status, erased.body.erased]).toMatchObject([
    200,
    { domainCandidates: 1, domainAssociations: 1, dnsObservations: 2 },
  ])
  await world.follow()
  const { store } = world.t
  for (const table of [
    'domain_names',
    'domain_uses',
    'domain_candidates',
    'domain_candidate_states',
    'domain_associations',
    'dns_observations',
  ] as const) {
    const text = JSON.stringify(await store.reader.selectFrom(table).selectAll().execute())
    expect([table, /karoo/.test(text)]).toEqual([table, false])
  }
  expect((await walk<{ domain: string }>(world.operator, '/domains')).map(({ domain }) => domain)).toEqual([
    'shared-building.co.za',
  ])
  expect(await walk(world.operator, '/dns-observations')).toHaveLength(1)
})

test('candidates derived after a person reviewed a duplicate do not refuse its merge', async () => {
  const world = await domainsWorld()
  const { a, suggestion } = await suggestedPair(world.t, world.manager, 'Karoo Pumps')
  await world.follow()
  expect(await world.open()).not.toEqual([])
  expect((await askMerge(world.manager, suggestion, a)).status).toBe(200)
})
