import {
  answer,
  defer,
  type FixtureScript,
  fail,
  fixtureFaults,
  fixtureRecord,
} from '@prospect/adapter-contract/test-kit/fixture-adapter'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Answer, TestClient } from '../../../../test/build-app.ts'
import { failedApprovals } from '../../../../test/failed-approvals.ts'
import { untilJob, work } from '../../../../test/job-world.ts'
import { createProspect, type ListPage, type Problem, type Refusal, walk } from '../../../../test/prospects.ts'
import { queryOf, REASON, type SourceWorld, sourceWorld } from '../../../../test/source-world.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { newId } from '../../../lib/ids.ts'
import { change } from '../../../store/change/change.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { memberActor, systemActor } from '../../identity/identity.ts'
import type { Job } from '../../jobs/jobs.schema.ts'
import { JobInterrupted, jobKindsOf } from '../../jobs/jobs.ts'
import { businessRecords } from '../purposes.ts'
import type { SourceRecord } from '../records/records.schema.ts'
import { recordAllLapses } from '../registry/record-lapses.ts'
import { sourceQuery } from '../sources.jobs.ts'
import type { DryRun, Health, HistoryItem, Incident } from '../sources.schema.ts'
import { askSource, definePurpose } from '../sources.ts'

const only = (outcome: object) => {
  const {
    queryId: _query,
    contractVersion: _version,
    answers: _answers,
    traces: _traces,
    ...rest
  } = outcome as Record<string, unknown>
  return rest
}

async function managerOf({ t }: SourceWorld) {
  const { id: tenantId, users } = t.tenants.home
  const actor = await memberActor(t.store.reader, { tenantId, userId: users.manager.id }, newId())
  if (actor === undefined) throw new Error('The manager is a member.')
  return actor
}

test('an enabled source responds, and one request has one permit, which counts', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const outcome = await world.ask(id)
  expect(only(outcome)).toEqual({ outcome: 'answered', isComplete: true, records: 1, reason: null })
  expect(outcome.answers).toEqual([fixtureRecord()])
  expect(world.fixture.requests).toHaveLength(1)
  const permits = await world.t.store.reader.selectFrom('source_permits').selectAll().execute()
  expect(permits).toMatchObject([{ source_id: id, attempt: 1, is_failure: 0 }])
  const { items } = (await world.author.get<Health>(`/sources/${id}/health`)).body
  expect(items).toMatchObject([{ requests: 1, answers: 1, errors: 0, circuit: 'closed' }])
})

test('a source at its own limit does not look idle: health counts what the platform itself refused', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled({ rate: { perMinute: 1, perDay: 1_000 } })
  await world.ask(id)
  expect(only(await world.ask(id))).toMatchObject({ outcome: 'deferred', reason: 'budget_minute' })
  const { items } = (await world.author.get<Health>(`/sources/${id}/health?interval=day`)).body
  expect(items).toMatchObject([{ requests: 1, answers: 1, errors: 0, refused: 1 }])
})

test('before an enablement, and after any condition fails, nothing is sent and the reason is stored with its audit event', async () => {
  const world = await sourceWorld()
  const draft = await world.propose()
  expect(only(await world.ask(draft.id))).toEqual({ outcome: 'unavailable', reason: 'source_awaiting_approval' })
  const { id } = await world.enabled()
  await world.administrator.post(`/sources/${id}/disablement`, { reason: 'Enough.' })
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'source_not_enabled' })
  await world.enable(id)
  const { store } = world.t
  expect(only(await world.ask(id, { adapters: { file: null, items: [] } }))).toEqual({
    outcome: 'unavailable',
    reason: 'source_lapsed',
  })
  // The refusal has recorded that the source lapsed (an item is no longer valid). It stays disabled although the adapter is loaded again.
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'source_not_enabled' })
  expect([world.fixture.requests.length, world.fixture.loads()]).toEqual([0, 0])
  const queries = await store.reader.selectFrom('source_queries').select('outcome').execute()
  expect(queries).toHaveLength(4)
  const events = await walk<AuditEvent>(world.administrator, '/audit-events?action=source.query', 100)
  expect(events.map(({ after }) => after?.reason)).toEqual([
    'source_not_enabled',
    'source_lapsed',
    'source_not_enabled',
    'source_awaiting_approval',
  ])
})

test('a request in the second in which the enablement ends is refused, also when the clock is set back after', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  await world.enable(id, { endsAt: world.inDays(1) })
  world.t.clock.advance(86_400_000)
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'source_lapsed' })
  world.t.clock.advance(-86_400_000)
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'source_lapsed' })
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'source_lapsed' })
  expect(world.fixture.requests).toHaveLength(0)
})

test('a store that was restored after the enablement sends no request', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const tenantId = world.t.tenants.home.id
  await change(
    world.t.store,
    systemActor('command line', tenantId),
    { permission: null, action: 'store.restore' },
    (tx) => tx.record({ subject: { type: 'tenant', id: tenantId } }),
  )
  expect(await world.read(id)).toMatchObject({
    status: 'lapsed',
    openItems: [{ item: 'enablement', problem: 'restored' }],
  })
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'source_lapsed' })
  await recordAllLapses({ store: world.t.store, adapters: world.adapters })
  expect(await world.read(id)).toMatchObject({ status: 'lapsed' })
  expect((await world.enable(id)).body).toMatchObject({ status: 'enabled' })
})

test('only a complete response without records means that there are none', async () => {
  const scripts: [FixtureScript, object][] = [
    [() => answer([]), { outcome: 'answered', isComplete: true, records: 0, reason: null }],
    [() => answer([], false), { outcome: 'answered', isComplete: false, records: 0, reason: 'provider_incomplete' }],
    [() => defer(5_000), { outcome: 'deferred', reason: 'rate_limited', until: expect.any(String) }],
    [() => fail('request_rejected'), { outcome: 'unavailable', reason: 'request_rejected' }],
  ]
  for (const [script, wanted] of scripts) {
    const world = await sourceWorld({ script })
    const { id } = await world.enabled()
    expect(only(await world.ask(id))).toEqual(wanted)
  }
})

test('a provider that defers is not requested until its stated time, at most for a week', async () => {
  const world = await sourceWorld({ script: (_input, call) => (call === 1 ? defer(5_000) : answer([])) })
  const { id } = await world.enabled()
  await world.ask(id)
  const until = new Date(world.t.clock().getTime() + 5_000).toISOString()
  expect(only(await world.ask(id))).toEqual({ outcome: 'deferred', reason: 'rate_limited', until })
  world.t.clock.advance(5_000)
  expect(only(await world.ask(id))).toMatchObject({ outcome: 'answered' })
  const late = await sourceWorld({ script: fixtureFaults['defers until next year'] ?? (() => defer(0)) })
  const { id: lateId } = await late.enabled()
  expect(only(await late.ask(lateId))).toMatchObject({ outcome: 'deferred', until: late.inDays(7) })
})

test('of varying hosts only one waits, and responses of hosts do not open the circuit', async () => {
  const world = await sourceWorld({ answersFrom: 'varying_targets', script: () => fail('access_denied') })
  const { id } = await world.enabled()
  const actor = await managerOf(world)
  const ask = (target: string) =>
    askSource(
      { store: world.t.store, adapters: world.adapters, actor },
      { sourceId: id, purpose: businessRecords, query: queryOf(world.businessId), target },
    )
  expect(only(await ask('a.example'))).toEqual({ outcome: 'unavailable', reason: 'access_denied' })
  expect(only(await ask('a.example'))).toEqual({ outcome: 'unavailable', reason: 'target_denied' })
  for (const host of ['b', 'c', 'd', 'e']) await ask(`${host}.example`)
  expect(await world.read(id)).toMatchObject({ circuit: { state: 'closed' } })
  expect(world.fixture.requests).toHaveLength(5)
})

test.for(Object.keys(fixtureFaults).map((name) => [name] as const))(
  'an adapter that %s does no harm',
  async ([name], { expect }) => {
    const script = fixtureFaults[name] ?? (() => undefined)
    const world = await sourceWorld({ script })
    const { id } = await world.enabled()
    if (name.startsWith('never settles')) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const asked = world.ask(id)
      if (name.startsWith('never settles'))
        while (world.fixture.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
      if (name.startsWith('never settles')) await vi.advanceTimersByTimeAsync(10_000)
      const outcome = await asked
      expect(outcome.answers.length).toBeLessThanOrEqual(5)
      const wanted: Record<string, object> = {
        'returns half a page': { outcome: 'answered', isComplete: false },
        'returns the same record twice': { outcome: 'answered', records: 1 },
        'defers until next year': { outcome: 'deferred' },
        'returns its own query as the next one forever': {
          outcome: 'answered',
          isComplete: false,
          reason: 'request_bound',
        },
      }
      expect(only(outcome)).toMatchObject(wanted[name] ?? { outcome: 'unavailable', reason: expect.any(String) })
      const [query] = await world.t.store.reader.selectFrom('source_queries').selectAll().execute()
      expect(query?.outcome).not.toBeNull()
    } finally {
      vi.useRealTimers()
    }
  },
)

/** Returns a transport that is silent and reports every abort of its signal as a cancellation. */
const silent: FixtureScript = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(fail('cancelled'))))

/** Waits for a query whose time limits are simulated. */
async function inSimulatedTime<T>(asked: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let isEnded = false
    const ended = asked().finally(() => {
      isEnded = true
    })
    while (!isEnded) {
      await vi.advanceTimersByTimeAsync(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return await ended
  } finally {
    vi.useRealTimers()
  }
}

test('the time limit of the contract is a timeout, also if the adapter calls it a cancellation: retried, counted, and it opens the circuit', async () => {
  const world = await sourceWorld({ script: silent })
  const { id } = await world.enabled({ retry: { maxAttempts: 2 } })
  expect(only(await inSimulatedTime(() => world.ask(id)))).toEqual({ outcome: 'unavailable', reason: 'timeout' })
  expect(world.fixture.requests).toHaveLength(2)
  // The third failure opens the circuit, which refuses the retry.
  expect(only(await inSimulatedTime(() => world.ask(id)))).toEqual({ outcome: 'unavailable', reason: 'timeout' })
  expect(world.fixture.requests).toHaveLength(3)
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'circuit_open' })
  expect(await world.read(id)).toMatchObject({ circuit: { state: 'open', cause: 'consecutive_failures' } })
  const { items } = (await world.author.get<Health>(`/sources/${id}/health?interval=day`)).body
  // Only the third query was refused. The refused retry belongs to a query that was sent.
  expect(items).toMatchObject([{ requests: 3, timeouts: 3, errors: 0, refused: 1, circuit: 'open' }])
  const ends = await walk<AuditEvent>(world.administrator, '/audit-events?action=source.answer', 100)
  expect(ends.map(({ after }) => [after?.reason, after?.refusedRetry])).toEqual([
    ['timeout', 'circuit_open'],
    ['timeout', undefined],
    ['timeout', undefined],
    ['timeout', undefined],
  ])
})

test.each([
  ['cancelled', new JobInterrupted('cancelled')],
  ['cancelled', new Error('The person left.')],
  ['interrupted', new JobInterrupted('shutdown')],
  ['interrupted', new JobInterrupted('lease_lost')],
  ['interrupted', new JobInterrupted('timeout')],
])(
  'a request that ends as %s for the reason "%s" is no failure of its source, and is not repeated',
  async (cause, why) => {
    const stop = new AbortController()
    const world = await sourceWorld({
      script: (input, call) => {
        const ended = silent(input, call)
        stop.abort(why)
        return ended
      },
    })
    const { id } = await world.enabled({
      retry: { maxAttempts: 3 },
      circuit: { failureRatio: 1, consecutiveFailures: 1, latencyMs: 4_000, closeAfterSuccesses: 1 },
    })
    expect(only(await world.ask(id, { signal: stop.signal }))).toEqual({ outcome: 'unavailable', reason: cause })
    expect(only(await world.ask(id, { signal: stop.signal }))).toEqual({ outcome: 'unavailable', reason: cause })
    expect(world.fixture.requests).toHaveLength(1)
    expect(await world.read(id)).toMatchObject({ circuit: { state: 'closed' } })
    const { items } = (await world.author.get<Health>(`/sources/${id}/health?interval=day`)).body
    expect(items).toMatchObject([{ requests: 1, timeouts: 0, errors: 0 }])
  },
)

test('the health of a source states its range, and has at most a week in steps of five minutes', async () => {
  const world = await sourceWorld({ script: () => answer([]) })
  const { id } = await world.enabled()
  const read = (query = '') => world.author.get<Health & Problem>(`/sources/${id}/health${query}`)
  const lengthOf = ({ from, to }: Health) => (Date.parse(to) - Date.parse(from)) / 300_000
  await world.ask(id)
  const { body: week } = await read()
  expect([week.items, lengthOf(week)]).toMatchObject([[{ requests: 1 }], 2_016])
  const later = new Date(world.t.clock().getTime() + 8 * 86_400_000).toISOString()
  const { body: next } = await read(`?to=${later}`)
  expect([next.items, next.to, lengthOf(next)]).toEqual([[], later, 2_016])
  const refused = await read(`?from=${week.from}&to=${later}`)
  expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([400, 'too_long'])
  expect((await read(`?interval=day&from=${week.from}&to=${later}`)).body.items).toMatchObject([{ requests: 1 }])
})

test('an adapter that reports a cancellation without one has failed', async () => {
  const world = await sourceWorld({ script: () => fail('cancelled') })
  const { id } = await stopped(world)
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'circuit_open' })
  const { items } = (await world.author.get<Health>(`/sources/${id}/health?interval=day`)).body
  expect(items).toMatchObject([{ requests: 3, errors: 3 }])
})

test('records of later requests count towards the limit of the first, whatever their own plans state', async () => {
  const world = await sourceWorld({
    script: ({ query }, call) => ({
      ...answer([fixtureRecord({ reference: `fixture-${call}` })], call === 3),
      next: call === 3 ? null : { ...query, maxRecords: 1 },
    }),
    maxRequests: 3,
  })
  const { id } = await world.enabled()
  const outcome = await world.ask(id)
  expect(only(outcome)).toEqual({ outcome: 'answered', isComplete: true, records: 3, reason: null })
  expect(outcome.answers.map((one) => (one as { reference: string }).reference)).toEqual([
    'fixture-1',
    'fixture-2',
    'fixture-3',
  ])
})

test('a request is retried only after a timeout, a lost connection or a 5xx, each time with a permit of its own', async () => {
  const retry = { retry: { maxAttempts: 3 } }
  for (const cause of ['timeout', 'connection_failed', 'server_error', 'request_rejected', 'answer_invalid'] as const) {
    const world = await sourceWorld({ script: () => fail(cause) })
    const { id } = await world.enabled({
      ...retry,
      circuit: { failureRatio: 1, consecutiveFailures: 50, latencyMs: 4_000, closeAfterSuccesses: 1 },
    })
    const pauses: number[] = []
    await world.ask(id, { pause: async (ms) => void pauses.push(ms) })
    const isRepeated = cause === 'timeout' || cause === 'connection_failed' || cause === 'server_error'
    expect([cause, world.fixture.requests.length, pauses]).toEqual([
      cause,
      isRepeated ? 3 : 1,
      isRepeated ? [500, 1_000] : [],
    ])
    const { items } = (await world.author.get<Health>(`/sources/${id}/health?interval=day`)).body
    expect(items[0]?.requests).toBe(isRepeated ? 3 : 1)
  }
})

test('budgets of the minute, of the day and of concurrency defer a request, with the time of the next', async () => {
  const held = Promise.withResolvers<unknown>()
  const world = await sourceWorld({ script: (_input, call) => (call === 1 ? held.promise : answer([])) })
  const { id } = await world.enabled({ rate: { perMinute: 2, perDay: 3 }, concurrency: 1 })
  const first = world.ask(id)
  while (world.fixture.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(only(await world.ask(id))).toMatchObject({ outcome: 'deferred', reason: 'concurrency' })
  held.resolve(answer([]))
  await first
  await world.ask(id)
  const minute = new Date(world.t.clock().getTime() + 60_000).toISOString()
  expect(only(await world.ask(id))).toEqual({ outcome: 'deferred', reason: 'budget_minute', until: minute })
  world.t.clock.advance(60_000)
  await world.ask(id)
  expect(only(await world.ask(id))).toMatchObject({ outcome: 'deferred', reason: 'budget_day' })
  expect(world.fixture.requests).toHaveLength(3)
})

test('of concurrent requests for the last permit one gets it', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled({ rate: { perMinute: 1, perDay: 100 }, concurrency: 8 })
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => world.ask(id)))
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
    ...Array(1).fill('answered'),
    ...Array(5).fill('deferred'),
  ])
})

test('a purpose, field, province or number of records outside the contract is refused', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled({ scope: { fields: ['name'], provinces: ['NC'], maxRecords: 3 } })
  const run = async (changes: object) =>
    (
      await world.operator.post<DryRun>(`/sources/${id}/dry-runs`, {
        query: queryOf(world.businessId, { maxRecords: 3, ...changes }),
      })
    ).body
  expect((await run({})).stoppedBy).toEqual([])
  for (const changes of [{ fields: ['phone'] }, { provinces: ['WC'] }, { provinces: [] }, { maxRecords: 4 }])
    expect((await run(changes)).stoppedBy).toMatchObject([{ item: 'scope' }])
  expect(only(await world.ask(id))).toEqual({
    outcome: 'unavailable',
    reason: 'outside_scope',
    detail: 'The contract permits at most 3 records per query.',
  })
  const history = await walk<HistoryItem>(world.author, `/sources/${id}/history`)
  const query = history.find(({ kind }) => kind === 'query')
  expect([query?.cause, query?.reason]).toEqual(['outside_scope', 'The contract permits at most 3 records per query.'])
  expect(world.fixture.loads()).toBe(0)
})

async function stopped(world: SourceWorld): Promise<{ id: string; openingId: string }> {
  const { id } = await world.enabled()
  for (let asked = 0; asked < 3; asked++) await world.ask(id)
  const { circuit } = await world.read(id)
  return { id, openingId: circuit.openingId ?? '' }
}

async function reset(world: SourceWorld, id: string, openingId: string): Promise<Answer<unknown>> {
  const body = { kind: 'incident', openingId, description: 'The provider was down.' }
  const { body: incident } = await world.author.post<Incident>(`/sources/${id}/incidents`, body)
  await world.administrator.post(`/sources/${id}/incidents/${incident.id}/decision`, {
    decision: 'approve',
    reason: REASON,
  })
  return world.author.post(`/sources/${id}/circuit-resets`, { incidentId: incident.id, reason: REASON })
}

test('an open circuit refuses every request, whatever time passes, until a person resets it with an approved record', async () => {
  let isDown = true
  const world = await sourceWorld({ script: () => (isDown ? fail('server_error') : answer([])) })
  const { id, openingId } = await stopped(world)
  expect(await world.read(id)).toMatchObject({
    status: 'enabled',
    circuit: { state: 'open', cause: 'consecutive_failures' },
  })
  isDown = false
  world.t.clock.advance(30 * 86_400_000)
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'circuit_open' })
  world.t.clock.advance(-30 * 86_400_000)
  await world.administrator.post(`/sources/${id}/disablement`, { reason: 'Try again.' })
  await world.enable(id)
  expect(only(await world.ask(id))).toEqual({ outcome: 'unavailable', reason: 'circuit_open' })
  expect((await reset(world, id, openingId)).status).toBe(200)
  expect(await world.read(id)).toMatchObject({ circuit: { state: 'probation', successes: 0, successesNeeded: 2 } })
})

test('probation closes the circuit by successes, one request at a time, and opens it by one failure', async () => {
  let isDown = true
  const world = await sourceWorld({ script: () => (isDown ? fail('server_error') : answer([])) })
  const { id, openingId } = await stopped(world)
  expect((await reset(world, id, openingId)).status).toBe(200)
  await world.ask(id)
  const again = (await world.read(id)).circuit
  expect(again).toMatchObject({ state: 'open', cause: 'probation_failed' })
  expect(again.openingId).not.toBe(openingId)
  isDown = false
  expect((await reset(world, id, again.openingId ?? '')).status).toBe(200)
  const together = await Promise.all([world.ask(id), world.ask(id)])
  expect(together.map(({ outcome }) => outcome).toSorted()).toEqual(['answered', 'deferred'])
  await world.ask(id)
  expect(await world.read(id)).toMatchObject({ circuit: { state: 'closed', openingId: null } })
})

test('a record is decided by another person, used once, and only for its opening', async () => {
  const world = await sourceWorld({ script: () => fail('server_error') })
  const { id, openingId } = await stopped(world)
  const path = `/sources/${id}/incidents`
  const code = ({ status, body }: Answer<unknown>) => [status, (body as Refusal).code]
  const body = { kind: 'change', openingId, description: 'A new agreement.' }
  expect(code(await world.author.post(path, { ...body, openingId: 'another' }))).toEqual([409, 'incident_not_usable'])
  const { body: incident } = await world.author.post<Incident>(path, body)
  const decide = (client: TestClient) =>
    client.post(`${path}/${incident.id}/decision`, { decision: 'approve', reason: REASON })
  const use = () => world.author.post(`/sources/${id}/circuit-resets`, { incidentId: incident.id, reason: REASON })
  expect(code(await use())).toEqual([409, 'incident_not_usable'])
  expect(code(await decide(world.author))).toEqual([422, 'own_approval'])
  expect((await decide(world.administrator)).status).toBe(200)
  const listed = async (sourceId: string) =>
    (await world.author.get<{ items: Incident[] }>(`/source-incidents?sourceId=${sourceId}`)).body.items
  const other = await world.propose()
  expect((await listed(id)).map((one) => one.id)).toEqual([incident.id])
  expect(await listed(other.id)).toEqual([])
  expect((await use()).status).toBe(200)
  await world.ask(id)
  expect(code(await use())).toEqual([409, 'incident_not_usable'])
  // The third refusal repeats the first one within a minute.
  expect(await failedApprovals(world.t)).toEqual([
    ['resetSourceCircuit', 'incident_not_usable'],
    ['decideSourceIncident', 'own_approval'],
  ])
})

test('a provider that refuses access stops the source at once', async () => {
  const world = await sourceWorld({ script: () => fail('access_denied') })
  const { id } = await world.enabled()
  await world.ask(id)
  expect(await world.read(id)).toMatchObject({ circuit: { state: 'open', cause: 'access_denied' } })
})

test('a dry run of any entry plans, stores its bounds and its event, and loads nothing', async () => {
  const world = await sourceWorld()
  const draft = await world.propose({ contract: {} })
  const absent = await world.propose({ adapter: { id: 'absent', version: '1' } })
  const query = queryOf(world.businessId)
  const changes = await world.t.changes(async () => {
    const { body } = await world.operator.post<DryRun>(`/sources/${draft.id}/dry-runs`, { query })
    expect(body).toMatchObject({ planned: [], requests: null, records: null })
    expect(body.stoppedBy).toContainEqual({ item: 'settings', reason: expect.any(String) })
    expect(body.stoppedBy).toContainEqual({ item: 'terms', reason: 'missing' })
  })
  expect(changes).toEqual({ source_queries: 1, audit_events: 1 })
  const unloaded = await world.operator.post<DryRun>(`/sources/${absent.id}/dry-runs`, { query })
  expect(unloaded.body.stoppedBy).toContainEqual({ item: 'not_loaded', reason: expect.any(String) })
  expect(unloaded.body).toMatchObject({ requests: 1, records: 5, bytes: 100_000, rawRetention: 'days_180' })
  const enabled = await world.enabled()
  const planned = await world.operator.post<DryRun>(`/sources/${enabled.id}/dry-runs`, { query })
  expect(planned.body).toMatchObject({
    planned: ['Request 5 records from the north fixture'],
    requests: 1,
    records: 5,
    fields: ['name'],
    stoppedBy: [],
  })
  const wrong = await world.operator.post(`/sources/${enabled.id}/dry-runs`, {
    query: { ...query, url: 'https://x.example' },
  })
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'query.url', code: 'unknown_property' }] } })
  expect([world.fixture.requests.length, world.fixture.loads()]).toEqual([0, 0])
})

test('a query becomes a job, whose responses become source records of the business, each once', async () => {
  const records = [fixtureRecord(), fixtureRecord(), fixtureRecord({ reference: 'fixture-2' })]
  const world = await sourceWorld({ script: () => answer(records) })
  const { id } = await world.enabled()
  const ask = async (key: string) =>
    world.author.post<Job & { queryId: string; outcome: object }>(
      `/sources/${id}/queries`,
      { purpose: 'business_records', query: queryOf(world.businessId) },
      { 'idempotency-key': key },
    )
  const accepted = await ask('one')
  expect([accepted.status, accepted.body.kind]).toEqual([202, 'source-query'])
  expect((await ask('one')).body.id).toBe(accepted.body.id)
  work({ store: world.t.store, kinds: jobKindsOf([sourceQuery]), adapters: world.adapters })
  const ended = await untilJob(world.t.store, accepted.body.id, ({ ended_at }) => ended_at !== null)
  expect(JSON.parse(ended.result_json ?? 'null')).toMatchObject({
    outcome: 'answered',
    isComplete: true,
    records: 2,
    stored: 2,
  })
  const again = await ask('two')
  await untilJob(world.t.store, again.body.id, ({ ended_at }) => ended_at !== null)
  const stored = await walk<SourceRecord>(world.operator, `/businesses/${world.businessId}/source-records`)
  expect(stored).toHaveLength(2)
  expect(stored[0]).toMatchObject({ suppliedBy: 'source', raw: expect.stringContaining('Karoo'), rawState: 'kept' })
  expect(world.fixture.requests).toHaveLength(2)
})

test('a query about a do-not-contact business is refused at once, and nothing is sent', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  await world.operator.post(`/businesses/${world.businessId}/do-not-contact`, { reason: 'Asked.' })
  const { status, body } = await world.author.post(
    `/sources/${id}/queries`,
    { purpose: 'business_records', query: queryOf(world.businessId) },
    { 'idempotency-key': 'one' },
  )
  expect([status, body]).toMatchObject([200, { outcome: { outcome: 'unavailable', reason: 'suppressed' } }])
  expect(world.fixture.requests).toHaveLength(0)
})

test('a response with a suppressed value, or for a business that was blocked meanwhile, is not stored', async () => {
  const fields = [{ field: 'email', value: 'owner@overberg.co.za' }]
  const record = fixtureRecord({ reference: 'blocked', fields, raw: JSON.stringify(fields) })
  let block = async () => {}
  const world = await sourceWorld({
    script: async () => {
      await block()
      return answer([record, fixtureRecord()])
    },
  })
  const entry = {
    kind: 'email',
    value: 'owner@overberg.co.za',
    reason: 'Asked.',
    channel: 'phone',
  }
  expect((await world.operator.post('/suppressions', entry)).status).toBe(201)
  const { id } = await world.enabled()
  work({ store: world.t.store, kinds: jobKindsOf([sourceQuery]), adapters: world.adapters })
  const run = async (businessId: string) => {
    const body = { purpose: 'business_records', query: queryOf(businessId) }
    const accepted = await world.author.post<Job>(`/sources/${id}/queries`, body, { 'idempotency-key': businessId })
    const job = await untilJob(world.t.store, accepted.body.id, ({ ended_at }) => ended_at !== null)
    return JSON.parse(job.result_json ?? 'null')
  }
  expect(await run(world.businessId)).toMatchObject({ stored: 1, suppressed: 1 })
  const other = await createProspect(world.operator, { name: 'Another' })
  block = async () => void (await world.operator.post(`/businesses/${other.id}/do-not-contact`, { reason: 'Asked.' }))
  expect(await run(other.id)).toMatchObject({ stored: 0, notStored: 2 })
})

test('a purpose that the contract does not name is refused', async () => {
  const world = await sourceWorld()
  const { id: sourceId } = await world.enabled()
  const purpose = definePurpose({ name: 'dns', permission: 'sources.query', record: z.unknown(), trace: z.unknown() })
  const asking = { store: world.t.store, adapters: world.adapters, actor: await managerOf(world) }
  const outcome = await askSource(asking, { sourceId, purpose, query: queryOf(world.businessId) })
  expect(only(outcome)).toEqual({ outcome: 'unavailable', reason: 'purpose_not_permitted' })
})

test('expired permits and buckets are deleted, and no newer ones', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const { store, clock } = world.t
  await world.ask(id)
  const count = async () => ({
    permits: (await store.reader.selectFrom('source_permits').select('id').execute()).length,
    buckets: (await store.reader.selectFrom('source_health').select('interval').execute()).map(
      ({ interval }) => interval,
    ),
  })
  await upkeepOf('sources', store, world.adapters)
  expect(await count()).toEqual({ permits: 1, buckets: ['day', 'minutes_5'] })
  // Ids contain the time of the process and not the time of the test clock, so the clock is set relative to the process.
  clock.advance(Date.now() - clock().getTime() + 31 * 86_400_000)
  await upkeepOf('sources', store, world.adapters)
  expect(await count()).toEqual({ permits: 0, buckets: ['day'] })
  clock.advance(731 * 86_400_000)
  await upkeepOf('sources', store, world.adapters)
  expect(await count()).toEqual({ permits: 0, buckets: [] })
})

test('an answer after the end of its query settles the permit and leaves the first outcome', async () => {
  let upkeep = async () => {}
  const world = await sourceWorld({
    script: async () => {
      await upkeep()
      return answer([fixtureRecord()])
    },
  })
  const { id } = await world.enabled({ timeoutMs: 30_000 })
  const { store, clock } = world.t
  // The process stalls until its lease has ended, and the upkeep of another process ends the query.
  upkeep = async () => {
    clock.advance(60_000)
    await upkeepOf('sources', store, world.adapters)
  }
  await world.ask(id)
  const [query] = await store.reader.selectFrom('source_queries').select('outcome').execute()
  expect(JSON.parse(query?.outcome ?? 'null')).toEqual({ outcome: 'unavailable', reason: 'interrupted' })
  const [permit] = await store.reader.selectFrom('source_permits').select('ended_at').execute()
  expect(permit?.ended_at).not.toBeNull()
  const events = await store.reader
    .selectFrom('audit_events')
    .select('after_json')
    .where('action', '=', 'source.answer')
    .orderBy('sequence')
    .execute()
  expect(events.map(({ after_json }) => JSON.parse(after_json ?? ''))).toMatchObject([
    { outcome: 'unavailable', reason: 'interrupted' },
    { outcome: 'answered', isFinal: false },
  ])
})

test('upkeep ends every query without a job whose process was lost, more than one change ends', async () => {
  const world = await sourceWorld()
  const { id: sourceId } = await world.enabled()
  const { store, tenants } = world.t
  const { id: tenantId } = tenants.home
  await store.write({ tenantId }, async (db) => {
    const row = { tenant_id: tenantId, source_id: sourceId, number: 1, kind: 'query', purpose: 'prompt' } as const
    const open = {
      business_id: null,
      request: null,
      plan: '{}',
      outcome: null,
      job_id: null,
      at: '',
      actor: 'x',
      ended_at: null,
    }
    for (let n = 0; n < 101; n++)
      await db
        .insertInto('source_queries')
        .values({ ...row, ...open, id: newId() })
        .execute()
    return { keep: true, value: undefined }
  })
  await upkeepOf('sources', store, world.adapters)
  const queries = await store.reader.selectFrom('source_queries').select('outcome').execute()
  expect(new Set(queries.map(({ outcome }) => outcome))).toEqual(
    new Set(['{"outcome":"unavailable","reason":"interrupted"}']),
  )
})

test('a query whose queued job is cancelled ends with the job', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const body = { purpose: 'business_records', query: queryOf(world.businessId) }
  const accepted = await world.author.post<Job>(`/sources/${id}/queries`, body, { 'idempotency-key': 'one' })
  await upkeepOf('sources', world.t.store, world.adapters)
  const outcome = async () =>
    (await world.t.store.reader.selectFrom('source_queries').select('outcome').executeTakeFirstOrThrow()).outcome
  expect(await outcome()).toBeNull()
  expect((await world.author.post(`/jobs/${accepted.body.id}/cancellation`, {})).status).toBe(200)
  expect(await outcome()).toBe('{"outcome":"unavailable","reason":"cancelled"}')
  expect(world.fixture.requests).toEqual([])
})

test('a query that was deferred after it was queued is shown so in the list of jobs', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled({ rate: { perMinute: 1, perDay: 100 } })
  const body = { purpose: 'business_records', query: queryOf(world.businessId) }
  const accepted = await world.author.post<Job>(`/sources/${id}/queries`, body, { 'idempotency-key': 'one' })
  await world.ask(id)
  work({ store: world.t.store, kinds: jobKindsOf([sourceQuery]), adapters: world.adapters })
  await untilJob(world.t.store, accepted.body.id, ({ ended_at }) => ended_at !== null)
  const { items } = (await world.author.get<ListPage<Job>>('/jobs')).body
  expect(items).toMatchObject([{ status: 'succeeded', shortfall: { state: 'deferred', reason: 'budget_minute' } }])
})

test('queries of this room cannot have purposes of other rooms', async () => {
  const world = await sourceWorld()
  const { id } = await world.enabled()
  const body = { purpose: 'dns', query: queryOf(world.businessId) }
  expect(await world.author.post(`/sources/${id}/queries`, body, { 'idempotency-key': 'one' })).toMatchObject({
    status: 400,
  })
})
