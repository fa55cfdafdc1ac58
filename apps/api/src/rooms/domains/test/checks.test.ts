import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { answeredBy, dnsWorld, failedBy } from '../../../../test/dns-world.ts'
import { untilJob, work } from '../../../../test/job-world.ts'
import { type ListPage, walk } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Job } from '../../jobs/jobs.schema.ts'
import { jobKindsOf } from '../../jobs/jobs.ts'
import { dnsCheck } from '../dns/check-job.ts'
import type { Check, Observation } from '../dns/dns.schema.ts'

test('without a usable source a check is unavailable with its reason, and no observation is stored', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const written = await t.changes(async () => {
    const { status, body } = await manager.post<Check>(
      '/dns-checks',
      { name: 'karoo.co.za', kinds: ['MX'] },
      { 'idempotency-key': 'a' },
    )
    expect([status, body]).toEqual([
      200,
      { outcome: 'unavailable', reason: 'no_source', until: null, detail: null, observations: [] },
    ])
  })
  expect(written).toEqual({ audit_events: 1, idempotency_keys: 1 })
  expect((await t.as('operator').then((one) => one.post('/dns-checks', {}))).status).toBe(403)
})

test('a source that is not enabled any more answers with its status', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query))
  await world.administrator.post(`/sources/${world.sourceId}/disablement`, { reason: 'Enough.' })
  expect((await world.check('karoo.co.za')).body).toMatchObject({
    outcome: 'unavailable',
    reason: 'source_not_enabled',
    observations: [],
  })
  expect(world.questions).toEqual([])
})

test('a check is pending until its job ends, and each kind is an observation of its own', async () => {
  const world = await dnsWorld(({ query }) =>
    answeredBy(query, query.kind === 'MX' ? {} : { status: 'no_data', records: [], ttl: null }),
  )
  const accepted = await world.check('shop.karoo.co.za', ['NS'])
  expect([accepted.status, accepted.body.kind]).toEqual([202, 'dns-check'])
  const pending = await walk<Observation>(world.operator, '/dns-observations?status=pending')
  expect(pending).toMatchObject([{ kind: 'NS', observedAt: null, freshness: null, origin: 'adapter' }])
  const observations = await world.checked('karoo.co.za', ['MX', 'TXT'])
  expect(observations.map(({ kind, status, resolver }) => [kind, status, resolver])).toEqual([
    ['TXT', 'no_data', 'office'],
    ['MX', 'resolved', 'office'],
    ['NS', 'no_data', 'office'],
  ])
  expect(new Set(world.questions)).toEqual(
    new Set(['udp NS shop.karoo.co.za', 'udp MX karoo.co.za', 'udp TXT karoo.co.za']),
  )
})

test.for([
  ['nxdomain', { status: 'nxdomain', records: [], ttl: 600 }, null],
  ['servfail', { status: 'servfail', records: [], ttl: null, responseCode: 2 }, null],
  ['blocked', { status: 'blocked', reason: 'refused', records: [], ttl: null, responseCode: 5 }, 'refused'],
  ['error', { status: 'error', reason: 'alias_loop', records: [], ttl: null }, 'alias_loop'],
] as const)('an answer %s is stored as that', async ([status, changes, reason], { expect }) => {
  const world = await dnsWorld(({ query }) => answeredBy(query, { ...changes, records: [] }))
  expect(await world.checked('karoo.co.za')).toMatchObject([{ status, errorReason: reason, isPartial: false }])
})

test.for([
  ['timeout', null, 'timeout', null],
  ['connection_failed', null, 'error', 'connection_failed'],
  ['answer_invalid', 'malformed', 'error', 'malformed'],
  ['answer_invalid', 'mismatched', 'error', 'mismatched'],
  ['answer_too_large', null, 'error', 'answer_too_large'],
  ['destination_denied', null, 'blocked', 'name_forbidden'],
] as const)(
  'a request that ends as %s (%s) is %s with the reason %s',
  async ([cause, trace, status, reason], { expect }) => {
    const world = await dnsWorld(({ query }) => failedBy(query, cause, trace))
    expect(await world.checked('karoo.co.za')).toMatchObject([{ status, errorReason: reason, records: [], ttl: null }])
  },
)

test('a truncated answer is replaced by the one over TCP; without it what came stays and is partial', async () => {
  const whole = await dnsWorld(({ query }) =>
    query.over === 'udp'
      ? answeredBy(query, { isTruncated: true, isPartial: true }, { ...query, over: 'tcp' })
      : answeredBy(query, { ttl: 60 }),
  )
  expect(await whole.checked('karoo.co.za')).toMatchObject([{ status: 'resolved', isTruncated: false, ttl: 60 }])
  expect(whole.questions).toEqual(['udp MX karoo.co.za', 'tcp MX karoo.co.za'])
  const cut = await dnsWorld(({ query }) =>
    query.over === 'udp'
      ? answeredBy(query, { isTruncated: true, isPartial: true }, { ...query, over: 'tcp' })
      : failedBy(query, 'connection_failed'),
  )
  const [observation] = await cut.checked('karoo.co.za')
  expect(observation).toMatchObject({ status: 'resolved', isPartial: true, uncertainty: ['partial'] })
  expect((await cut.check('karoo.co.za')).status).toBe(202)
})

test('a fresh answer is returned with its age and no question is asked; a failure never is', async () => {
  const world = await dnsWorld(({ query }) =>
    query.name === 'karoo.co.za'
      ? answeredBy(query, { ttl: 600 })
      : answeredBy(query, { status: 'servfail', records: [], ttl: null }),
  )
  const [first] = await world.checked('karoo.co.za')
  world.t.clock.advance(300_000)
  const hit = await world.check('KAROO.co.za.')
  expect([hit.status, hit.body.outcome]).toEqual([200, 'answered'])
  expect(hit.body.observations).toMatchObject([{ isCached: true, ageSeconds: 300, observation: { id: first?.id } }])
  expect(world.questions).toHaveLength(1)
  world.t.clock.advance(300_000)
  expect((await world.check('karoo.co.za')).status).toBe(202)
  await world.checked('failing.co.za')
  expect((await world.check('failing.co.za')).status).toBe(202)
})

test('what a person recorded is not in the cache', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query))
  await world.operator.post('/dns-observations', {
    name: 'karoo.co.za',
    kind: 'MX',
    status: 'resolved',
    records: [{ kind: 'MX', preference: 1, exchange: 'a.example', ttl: 86_400 }],
    source: 'dig',
    observedAt: world.t.clock().toISOString(),
  })
  expect((await world.check('karoo.co.za')).status).toBe(202)
})

test('a name that the policy forbids is a blocked observation, and no question is asked', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query))
  const { status, body } = await world.check('forbidden.co.za', ['MX', 'NS'])
  expect([status, body.outcome, body.reason]).toEqual([200, 'unavailable', 'name_forbidden'])
  expect(body.observations.map(({ observation }) => [observation.status, observation.errorReason])).toEqual([
    ['blocked', 'name_forbidden'],
    ['blocked', 'name_forbidden'],
  ])
  expect(world.questions).toEqual([])
})

test('nobody asks about a suppressed domain', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query))
  const entry = {
    kind: 'domain',
    value: 'karoo.co.za',
    scope: 'with_subdomains',
    reason: 'They asked.',
    channel: 'phone',
  }
  await world.author.post('/suppressions', entry)
  expect((await world.check('www.karoo.co.za')).body).toMatchObject({
    outcome: 'unavailable',
    reason: 'do_not_contact',
  })
  expect(world.questions).toEqual([])
})

test('a budget that is used up defers a check with the time of the next', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query), { rate: { perMinute: 1, perDay: 100 } })
  await world.checked('karoo.co.za')
  expect((await world.check('b.co.za')).body).toMatchObject({
    outcome: 'deferred',
    reason: 'budget_minute',
    until: expect.any(String),
  })
})

test('a check whose job ended without it is an interrupted error, and the question is not asked again', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query))
  const { body } = await world.check('karoo.co.za')
  await world.author.post(`/jobs/${body.id}/cancellation`, {})
  const observations = await walk<Observation>(world.author, '/dns-observations')
  expect(observations).toMatchObject([{ status: 'error', errorReason: 'interrupted' }])
  expect(world.questions).toEqual([])
  const [event] = await walk<AuditEvent>(world.administrator, '/audit-events?action=dns_observation.complete')
  expect(event?.after).toEqual({ kind: 'MX', status: 'error', reason: 'interrupted' })
  const [query] = await world.t.store.reader.selectFrom('source_queries').select('outcome').execute()
  expect(query?.outcome).toBe('{"outcome":"unavailable","reason":"cancelled"}')
})

test('a check that waits in the queue is asked later, however often the upkeep of sources runs meanwhile', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query))
  const { body } = await world.check('karoo.co.za')
  await upkeepOf('sources', world.t.store, world.adapters)
  const [query] = await world.t.store.reader.selectFrom('source_queries').select(['outcome', 'job_id']).execute()
  expect(query).toEqual({ outcome: null, job_id: body.id })
  work({ store: world.t.store, kinds: jobKindsOf([dnsCheck]), adapters: world.adapters })
  await untilJob(world.t.store, body.id, ({ ended_at }) => ended_at !== null)
  expect(world.questions).toEqual(['udp MX karoo.co.za'])
  expect(await walk<Observation>(world.author, '/dns-observations')).toMatchObject([{ status: 'resolved' }])
})

test('a check without an answer is shown so in the list of jobs', async () => {
  const world = await dnsWorld(({ query }) => (query.kind === 'NS' ? failedBy(query, 'timeout') : answeredBy(query)))
  const [part, none] = [await world.check('karoo.co.za', ['MX', 'NS']), await world.check('a.co.za', ['NS'])]
  work({ store: world.t.store, kinds: jobKindsOf([dnsCheck]), adapters: world.adapters })
  for (const { body } of [part, none]) await untilJob(world.t.store, body.id, ({ ended_at }) => ended_at !== null)
  const { items } = (await world.author.get<ListPage<Job>>('/jobs')).body
  const shortfallOf = (id: string) => items.find((job) => job.id === id)?.shortfall
  expect(shortfallOf(part.body.id)).toEqual({ state: 'incomplete', reason: 'timeout' })
  expect(shortfallOf(none.body.id)).toEqual({ state: 'unavailable', reason: 'timeout' })
})

test('a question behind whose permit the process was lost ends as interrupted', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query))
  const { store, tenants } = world.t
  const { body } = await world.check('karoo.co.za')
  const [row] = await store.reader.selectFrom('dns_observations').select('query_id').execute()
  const at = world.t.clock().toISOString()
  await store.write({ tenantId: tenants.home.id }, async (db) => {
    await db
      .insertInto('source_permits')
      .values({
        tenant_id: tenants.home.id,
        id: newId(),
        source_id: world.sourceId,
        query_id: row?.query_id ?? '',
        attempt: 1,
        target: null,
        circuit_id: null,
        taken_at: at,
        lease_until: at,
        ended_at: null,
        is_failure: null,
        cause: null,
        latency_ms: null,
        bytes: null,
        defer_until: null,
      })
      .execute()
    return { keep: true, value: null }
  })
  expect(body.kind).toBe('dns-check')
  const [other, lost] = await world.checked('www.karoo.co.za')
  expect([lost?.status, lost?.errorReason, other?.status]).toEqual(['error', 'interrupted', 'resolved'])
  expect(world.questions).toEqual(['udp MX www.karoo.co.za'])
})

test('availability stays unknown whatever DNS says', async () => {
  const world = await dnsWorld(({ query }) => answeredBy(query, { status: 'nxdomain', records: [], ttl: 600 }))
  await world.checked('karoo.co.za')
  const { body } = await world.operator.get('/domains/www.karoo.co.za/availability')
  expect(body).toEqual({
    domain: 'karoo.co.za',
    status: 'unknown',
    outcome: 'unavailable',
    reason: 'no_provider',
  })
  const unseen = await world.operator.get('/domains/www.unseen.co.za/availability')
  expect(unseen).toMatchObject({
    status: 200,
    body: { domain: 'unseen.co.za', status: 'unknown', reason: 'no_provider' },
  })
  expect(await world.operator.get('/domains/127.1/availability')).toMatchObject({
    status: 422,
    body: { code: 'domain_not_resolvable', errors: [{ path: 'domain', code: 'ip_literal' }] },
  })
})
