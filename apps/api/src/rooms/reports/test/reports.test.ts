import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { lastEvent } from '../../../../test/person.ts'
import {
  addEvidenceTo,
  addInteractionTo,
  createProspect,
  moveTo,
  type Problem,
  walk,
} from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { Job } from '../../jobs/jobs.schema.ts'
import type { JobKind } from '../../jobs/jobs.ts'
import { computeReport } from '../compute-report.ts'
import { reportJob } from '../reports.jobs.ts'
import type { Report, ReportSummary } from '../reports.schema.ts'

const november = { from: '2026-11-01', to: '2026-11-30' }
const HOUR_MS = 3_600_000

async function setUp(kind: JobKind = reportJob) {
  const world = await jobWorld([kind])
  world.work()
  const ask = (body: Record<string, unknown>, key = newId(), client: TestClient = world.operator) =>
    client.post<Report>('/reports', body, { 'idempotency-key': key })
  const make = async (body: Record<string, unknown> = november) => {
    const { status, body: report } = await ask(body)
    expect([status, report]).toMatchObject([201, {}])
    expect((await world.ended(report.jobId)).status).toBe('succeeded')
    return (await world.operator.get<Report>(`/reports/${report.id}`)).body
  }
  return { ...world, ask, make }
}

const rowsOf = (report: Report, key: string) => report.result?.figures.find((figure) => figure.key === key)?.rows
const totalOf = (report: Report, key: string) => report.result?.figures.find((figure) => figure.key === key)?.total

test('a report shows states, moves, interactions, conversion, stays, evidence and blocks of the interval, each from history', async () => {
  const { t, operator, make } = await setUp()
  const [a, b, c] = [await createProspect(operator), await createProspect(operator), await createProspect(operator)]
  t.clock.advance(6 * HOUR_MS)
  for (const one of [a, b]) await moveTo(operator, one.id, 'contacted')
  t.clock.advance(7 * HOUR_MS)
  await moveTo(operator, a.id, 'qualified')
  await addEvidenceTo(operator, a.id)
  const { body: person } = await operator.post<{ id: string }>(`/businesses/${a.id}/people`, { name: 'Thandi Nkosi' })
  await addInteractionTo(operator, a.id, { outcome: 'connected', personId: person.id })
  const wrong = await addInteractionTo(operator, b.id, { outcome: 'no_answer' })
  await addInteractionTo(operator, b.id, { outcome: 'left_message', correctsId: wrong.id })
  await operator.post(`/businesses/${c.id}/do-not-contact`, { reason: 'They asked.' })
  await addInteractionTo(operator, c.id, { outcome: 'connected' })

  const report = await make()
  expect(report).toMatchObject({
    name: '2026-11-01 to 2026-11-30',
    timeZone: 'Africa/Johannesburg',
    filterStandsAsOf: 'no_filter',
  })
  expect(rowsOf(report, 'pipeline_by_state')?.slice(0, 3)).toEqual([
    ['new', 1],
    ['contacted', 1],
    ['qualified', 1],
  ])
  expect(totalOf(report, 'pipeline_by_state')).toBe(3)
  expect(rowsOf(report, 'moves')).toEqual([
    ['new', 'contacted', 2],
    ['contacted', 'qualified', 1],
  ])
  expect(rowsOf(report, 'distinct_businesses')).toEqual([
    ['created', 3],
    ['moved', 2],
    ['interaction', 2],
    ['interaction_while_do_not_contact', 1],
  ])
  expect(rowsOf(report, 'interactions_by_outcome')).toEqual([
    ['connected', 1, 1],
    ['left_message', 1, 0],
  ])
  expect(rowsOf(report, 'interactions_by_person')).toEqual([['Home operator', 3, 3, 2, 1]])
  expect(JSON.stringify(report)).not.toMatch(/Thandi|Nkosi/)
  expect(rowsOf(report, 'conversion')).toEqual([
    ['new', 3, 2, 2 / 3],
    ['contacted', 2, 1, 0.5],
    ['qualified', 1, 0, 0],
  ])
  expect(rowsOf(report, 'time_in_state')).toEqual([
    ['new', 2, 6, 6],
    ['contacted', 1, 7, 7],
  ])
  expect(rowsOf(report, 'evidence_coverage')).toEqual([
    ['with_evidence', 1, 1 / 3],
    ['without_evidence', 2, 2 / 3],
  ])
  expect(rowsOf(report, 'suppression')).toEqual([
    ['do_not_contact', 1, 1 / 3],
    ['contactable', 2, 2 / 3],
  ])
  const event = await lastEvent(t, 'report.make')
  expect([event?.subject_id, JSON.parse(event?.after_json ?? 'null')]).toEqual([
    report.id,
    { figuresVersion: 'figures-5', figuresHash: report.result?.figuresHash, businesses: 3 },
  ])
})

test('a result contains ids of people: after the removal of a member the report shows the pseudonym', async () => {
  const { t, operator, make } = await setUp()
  const { id: businessId } = await createProspect(operator)
  await addInteractionTo(operator, businessId, { outcome: 'connected' })
  const report = await make()
  expect(rowsOf(report, 'interactions_by_person')).toEqual([['Home operator', 1, 1, 1, 0]])
  const stored = await t.store.reader.selectFrom('report_results').select('figures_json').executeTakeFirstOrThrow()
  const { id } = t.tenants.home.users.operator
  expect(stored.figures_json).toContain(id)
  expect(stored.figures_json).not.toContain('Home operator')

  const administrator = await t.as('administrator')
  expect((await administrator.delete(`/users/${id}`)).status).toBe(204)
  const { body: after } = await administrator.get<Report>(`/reports/${report.id}`)
  expect(rowsOf(after, 'interactions_by_person')).toEqual([[`Former user ${id.slice(-4)}`, 1, 1, 1, 0]])
  expect(after.result?.figuresHash).toBe(report.result?.figuresHash)
})

test('as of an earlier time it shows the state at that time, whatever happened since', async () => {
  const { t, operator, make } = await setUp()
  const steps = [
    () => createProspect(operator, { name: 'First' }),
    async () => moveTo(operator, await newest(), 'contacted'),
    async () => addEvidenceTo(operator, await newest()),
    async () => operator.post(`/businesses/${await newest()}/do-not-contact`, { reason: 'Asked.' }),
    async () => addInteractionTo(operator, await newest(), { occurredAt: t.clock().toISOString() }),
    () => createProspect(operator, { name: 'Second' }),
    async () => moveTo(operator, await newest(), 'contacted'),
    async () => moveTo(operator, await newest(), 'qualified'),
  ]
  const newest = async () => {
    const { body } = await operator.get<{ items: { id: string }[] }>('/businesses?sort=-createdAt&limit=1')
    return body.items[0]?.id ?? ''
  }
  const then: Report[] = []
  for (const step of steps) {
    await step()
    then.push(await make())
    t.clock.advance(HOUR_MS)
  }
  for (const report of then) {
    const again = await make({ ...november, asOf: report.asOf })
    expect(again.result).toEqual({ ...report.result, computedAt: again.result?.computedAt })
  }
})

test('do not contact as of a time is a block by hand, or a suppression entry that matched then and had not ended', async () => {
  const { t, operator, make } = await setUp()
  await createProspect(operator, { emails: [{ value: 'jan@karoo.co.za' }] })
  await createProspect(operator, { emails: [{ value: 'piet@karoo.co.za' }] })
  const times: string[] = []
  const mark = () => {
    times.push(t.clock().toISOString())
    t.clock.advance(HOUR_MS)
  }
  mark()
  const entry = { kind: 'email', value: 'jan@karoo.co.za', reason: 'They asked.', channel: 'letter' }
  const { body: added } = await operator.post<{ suppression: { id: string } }>('/suppressions', entry)
  mark()
  // Start a new session, because a removal requires a recent second factor.
  const administrator = await t.as('administrator')
  const removed = await administrator.post(`/suppressions/${added.suppression.id}/removal`, { reason: 'A mistake.' })
  expect(removed.status).toBe(200)
  mark()
  const blocked: unknown[] = []
  for (const asOf of times) blocked.push(rowsOf(await make({ ...november, asOf }), 'suppression')?.[0])
  expect(blocked).toEqual([
    ['do_not_contact', 0, 0],
    ['do_not_contact', 1, 0.5],
    ['do_not_contact', 0, 0],
  ])
})

test('any batch size gives the same figures', async () => {
  const { t, operator } = await setUp()
  for (let index = 0; index < 7; index++) {
    const { id } = await createProspect(operator)
    if (index % 2 === 0) await moveTo(operator, id, 'contacted')
    if (index % 3 === 0) await addInteractionTo(operator, id)
  }
  const wanted = {
    tenantId: t.tenants.home.id,
    startsAt: '2026-11-01T00:00:00.000Z',
    endsAt: '2026-12-01T00:00:00.000Z',
    asOf: t.clock().toISOString(),
    filter: {},
  }
  const whole = await computeReport(t.store.backgroundOf(wanted.tenantId), wanted)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (partSize) => {
      expect(await computeReport(t.store.backgroundOf(wanted.tenantId), wanted, { partSize })).toEqual(whole)
    }),
    { numRuns: 9 },
  )
})

test('a filter applies to the current record, and the report says so', async () => {
  const { operator, make } = await setUp()
  await createProspect(operator, { address: { province: 'Gauteng' }, tags: ['Wind'] })
  await createProspect(operator, { address: { province: 'Limpopo' } })
  const report = await make({ ...november, filter: { province: 'GP' } })
  expect([report.result?.businesses, report.filterStandsAsOf]).toEqual([1, 'computation'])
  expect((await make({ ...november, filter: { tag: ' WIND ' } })).result?.businesses).toBe(1)
  expect((await make({ ...november, filter: { assigneeId: newId() } })).result?.businesses).toBe(0)
})

test('a job that was interrupted after storing its figures ends with those, not with new counts', async () => {
  const cutOff: JobKind = {
    ...reportJob,
    run: async (context, input) => {
      const result = await reportJob.run(context, input)
      if (context.attempt === 1) throw new Error('cut off')
      return result
    },
  }
  const { operator, ask, ended } = await setUp(cutOff)
  const { id } = await createProspect(operator, { tags: ['Wind'] })
  const { body: report } = await ask({ ...november, filter: { tag: 'Wind' } })
  expect((await ended(report.jobId)).status).toBe('failed')
  await operator.patch(`/businesses/${id}`, { tags: [] }, { 'if-match': '"1"' })
  const { body: again } = await operator.post<Job>(`/jobs/${report.jobId}/retry`, {}, { 'idempotency-key': newId() })
  const { result_json } = await ended(again.id)
  const { figuresHash } = (await operator.get<Report>(`/reports/${report.id}`)).body.result ?? {}
  expect(JSON.parse(result_json ?? 'null')).toEqual({ reportId: report.id, businesses: 1, figuresHash })
})

test('the same key makes one report and one job; the list shows each with its status', async () => {
  const { t, operator, ask, ended } = await setUp()
  const first = await ask(november, 'once')
  await ended(first.body.jobId)
  const changes = await t.changes(async () => {
    const again = await ask(november, 'once')
    expect([again.body.id, again.headers['idempotency-replayed']]).toEqual([first.body.id, 'true'])
    expect((await ask({ ...november, to: '2026-11-29' }, 'once')).status).toBe(422)
  })
  expect(changes).toEqual({})
  const listed = await walk<ReportSummary>(operator, '/reports', 1)
  expect(listed).toMatchObject([{ id: first.body.id, status: 'succeeded' }])
})

test('a reversed, unbounded or too long interval, an unknown zone, a future time: a sentence at the field, and nothing is written', async () => {
  const { t, operator } = await setUp()
  const refused: [Record<string, unknown>, string][] = [
    [{ ...november, to: '2026-10-01' }, 'to'],
    [{ from: '2026-11-01' }, 'to'],
    [{ to: '2026-11-01' }, 'from'],
    [{ from: '1990-01-01', to: '2026-11-01' }, 'to'],
    [{ ...november, from: '2026-02-30' }, 'from'],
    [{ ...november, timeZone: 'Africa/Bloemfontein' }, 'timeZone'],
    [{ ...november, asOf: '2027-01-01T00:00:00Z' }, 'asOf'],
    [{ ...november, asOf: '2026-10-01T00:00:00Z' }, 'asOf'],
    [{ ...november, filter: { province: 'XX' } }, 'filter.province'],
    [{ ...november, metric: 'all' }, 'metric'],
  ]
  const problems: Problem[] = []
  const changes = await t.changes(async () => {
    for (const [body] of refused)
      problems.push((await operator.post<Problem>('/reports', body, { 'idempotency-key': newId() })).body)
    expect((await operator.post<Problem>('/reports', november)).body.code).toBe('idempotency_key_required')
  })
  expect(changes).toEqual({})
  expect(problems.map(({ status, errors }) => [status, errors?.[0]?.path])).toEqual(
    refused.map(([, path]) => [400, path]),
  )
})

test('a block by hand counts on the survivor of a merge from the merge on, as of any time, and in its activity', async () => {
  const { t, operator, make } = await setUp()
  const manager = await t.as('manager')
  const blockedAt = async (asOf: Date) => {
    const report = await make({ ...november, asOf: asOf.toISOString() })
    return Object.fromEntries((rowsOf(report, 'suppression') ?? []).map(([counted, count]) => [counted, count]))
  }
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Carried')
  const before = t.clock()
  t.clock.advance(HOUR_MS)
  await operator.post(`/businesses/${b}/do-not-contact`, { reason: 'They asked.' })
  const { body: seen } = await manager.get<{ fingerprint: string }>(`/match-suggestions/${suggestion.id}`)
  await merged(askMerge(manager, { ...suggestion, fingerprint: seen.fingerprint }, a))
  const after = t.clock()
  t.clock.advance(HOUR_MS)
  expect(await blockedAt(before)).toEqual({ do_not_contact: 0, contactable: 2 })
  expect(await blockedAt(after)).toEqual({ do_not_contact: 1, contactable: 0 })
  const { body } = await operator.get<{ items: { action: string; businessId: string; after: unknown }[] }>(
    `/businesses/${a}/activity`,
  )
  expect(body.items).toContainEqual(
    expect.objectContaining({ action: 'business.block', businessId: a, after: { doNotContact: true, carriedFrom: b } }),
  )
})

test('activity of two merged records counts for the survivor, and as of an earlier time for each record', async () => {
  const { t, operator, make } = await setUp()
  const manager = await t.as('manager')
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Told twice')
  t.clock.advance(HOUR_MS)
  await moveTo(operator, b, 'contacted')
  t.clock.advance(2 * HOUR_MS)
  await moveTo(operator, b, 'qualified')
  await addEvidenceTo(operator, b)
  await addInteractionTo(operator, b)
  const { body: entry } = await operator.post<{ marked: number }>('/suppressions', {
    kind: 'phone',
    value: '+27 82 555 0101',
    reason: 'They asked.',
    channel: 'letter',
  })
  expect(entry.marked).toBe(0)
  await addEvidenceTo(operator, b, { field: 'phone', value: '082 555 0101', observation: null })
  const again = async (report: Report) => {
    const { result } = await make({ ...november, asOf: report.asOf })
    expect(result).toEqual({ ...report.result, computedAt: result?.computedAt })
  }
  const apart = await make()
  t.clock.advance(HOUR_MS)

  const { body: pair } = await manager.get<{ fingerprint: string }>(`/match-suggestions/${suggestion.id}`)
  const asked = askMerge(manager, { ...suggestion, ...pair }, a, { fields: { pipelineState: b } })
  const { id: mergeId } = await merged(asked)
  const together = await make()
  expect([together.result?.businesses, rowsOf(together, 'pipeline_by_state')?.slice(0, 3)]).toEqual([
    1,
    [
      ['new', 0],
      ['contacted', 0],
      ['qualified', 1],
    ],
  ])
  expect(rowsOf(together, 'moves')).toEqual(rowsOf(apart, 'moves'))
  expect(rowsOf(together, 'time_in_state')).toEqual(rowsOf(apart, 'time_in_state'))
  expect(rowsOf(together, 'interactions_by_outcome')).toEqual(rowsOf(apart, 'interactions_by_outcome'))
  expect(rowsOf(together, 'distinct_businesses')).toEqual([
    ['created', 1],
    ['moved', 1],
    ['interaction', 1],
    ['interaction_while_do_not_contact', 0],
  ])
  expect(rowsOf(together, 'conversion')).toEqual([
    ['new', 1, 1, 1],
    ['contacted', 1, 1, 1],
    ['qualified', 1, 0, 0],
  ])
  expect(rowsOf(together, 'evidence_coverage')?.[0]).toEqual(['with_evidence', 1, 1])
  expect(rowsOf(together, 'suppression')?.[0]).toEqual(['do_not_contact', 1, 1])

  t.clock.advance(HOUR_MS)
  // Start a new session, because reversing and erasing require a recent proof of identity.
  const administrator = await t.as('administrator')
  expect((await askReversal(administrator, mergeId)).status).toBe(200)
  const apartAgain = await make()
  expect(rowsOf(apartAgain, 'pipeline_by_state')).toEqual(rowsOf(apart, 'pipeline_by_state'))
  expect(rowsOf(apartAgain, 'moves')).toEqual(rowsOf(apart, 'moves'))
  for (const report of [apart, together]) await again(report)
  t.clock.advance(HOUR_MS / 6)
  expect((await administrator.post(`/businesses/${b}/erasure`, { reason: 'They asked.' })).status).toBe(200)
  expect((await make()).result?.businesses).toBe(1)
  for (const report of [apart, apartAgain]) await again(report)
})

test('a stay in a state that a merge chose begins with the merge', async () => {
  const { t, operator, make } = await setUp()
  const manager = await t.as('manager')
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Chosen')
  t.clock.advance(HOUR_MS)
  await moveTo(operator, b, 'contacted')
  t.clock.advance(2 * HOUR_MS)
  const { body: pair } = await manager.get<{ fingerprint: string }>(`/match-suggestions/${suggestion.id}`)
  await merged(askMerge(manager, { ...suggestion, ...pair }, a, { fields: { pipelineState: b } }))
  t.clock.advance(4 * HOUR_MS)
  await moveTo(operator, a, 'qualified')
  expect(rowsOf(await make(), 'time_in_state')).toEqual([
    ['new', 1, 1, 1],
    ['contacted', 1, 4, 4],
  ])
})
