import { test } from 'vitest'
import { type Answer, buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import {
  addEvidenceTo,
  createProspect,
  endProspect,
  type ListPage,
  moveTo,
  type Problem,
  seen,
  walk,
} from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.ts'
import { type Moved, NO_REASON, type Pipeline, REASON_LENGTH, type Transition } from '../pipeline.schema.ts'

async function setUp() {
  const t = await buildTestApp()
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  const { id } = await createProspect(operator)
  return { t, operator, administrator, id, path: `/businesses/${id}/pipeline-transitions` }
}

const road: readonly string[] = ['contacted', 'qualified', 'proposal', 'negotiation']

async function moveAlong(client: TestClient, id: string, ...states: readonly string[]): Promise<void> {
  for (const state of states) await moveTo(client, id, state)
}

async function configure(client: TestClient, body: Record<string, boolean>): Promise<Answer<Pipeline>> {
  const { headers } = await client.get('/pipeline')
  return client.patch<Pipeline>('/pipeline', body, { 'if-match': String(headers.etag) })
}

/** Sends transitions that must be rejected, and checks that nothing changes. */
async function refusals(t: TestApp, client: TestClient, path: string, bodies: readonly unknown[]): Promise<Problem[]> {
  const problems: Problem[] = []
  const changes = await t.changes(async () => {
    for (const body of bodies) problems.push((await client.post<Problem>(path, body)).body)
  })
  if (Object.keys(changes).length > 0) throw new Error(`Refused moves changed ${JSON.stringify(changes)}`)
  return problems
}

test('a move records actor, before, after, reason, time, correlation and idempotency key, and nothing else changes', async ({
  expect,
}) => {
  const { t, operator, id, path } = await setUp()
  t.clock.advance(1_000)
  const answers: Answer<Moved>[] = []
  const changes = await t.changes(async () => {
    const body = { to: 'contacted', reason: 'Spoke to the owner.' }
    answers.push(await operator.post<Moved>(path, body, { 'idempotency-key': 'move-1' }))
  })
  expect(changes).toEqual({
    businesses: 0,
    business_counts: 1,
    pipeline_transitions: 1,
    audit_events: 1,
    idempotency_keys: 1,
  })
  const [answer] = answers
  const { users } = t.tenants.home
  const actor = { kind: 'user', id: users.operator.id, name: users.operator.name }
  const at = t.clock().toISOString()
  expect(answer).toMatchObject({
    status: 200,
    headers: { etag: '"2"' },
    body: { business: { id, version: 2, updatedAt: at, pipelineState: 'contacted', stateBeforePause: null } },
  })
  expect(answer?.body.transition).toEqual({
    id: expect.any(String),
    businessId: id,
    from: 'new',
    to: 'contacted',
    reason: 'Spoke to the owner.',
    at,
    actor,
    correlationId: answer?.headers['x-request-id'],
    idempotencyKey: 'move-1',
    mergeId: null,
  })
  expect((await operator.get<ListPage<AuditEvent>>(`/businesses/${id}/activity`)).body.items[0]).toMatchObject({
    action: 'pipeline.move',
    subject: { type: 'business', id },
    businessId: id,
    at,
    actor,
    before: { pipelineState: 'new' },
    after: { pipelineState: 'contacted', transitionId: answer?.body.transition?.id, idempotencyKey: 'move-1' },
    reason: 'Spoke to the owner.',
    correlationId: answer?.headers['x-request-id'],
  })
})

test('the idempotency key of a move is shown only to the person who moved, in moves, activity and audit', async ({
  expect,
}) => {
  const { t, operator, administrator, id, path } = await setUp()
  const manager = await t.as('manager')
  await operator.post(path, { to: 'contacted' }, { 'idempotency-key': 'of-the-operator' })
  await manager.post(path, { to: 'qualified' }, { 'idempotency-key': 'of-the-manager' })
  const events = await walk<AuditEvent>(manager, '/audit-events?action=pipeline.move')
  const paths = [path, `/businesses/${id}/activity`, '/audit-events', ...events.map((one) => `/audit-events/${one.id}`)]
  const keysIn = async (client: TestClient) => {
    const texts: string[] = []
    for (const one of paths) texts.push(JSON.stringify((await client.get(one)).body))
    return [...new Set(texts.flatMap((text) => text.match(/of-the-\w+/g) ?? []))]
  }
  expect(await keysIn(manager)).toEqual(['of-the-manager'])
  expect(await keysIn(operator)).toEqual(['of-the-operator'])
  expect(await keysIn(administrator)).toEqual([])
  expect(await walk<Transition>(operator, path)).toMatchObject([
    { idempotencyKey: null },
    { idempotencyKey: 'of-the-operator' },
  ])
})

test('a move to the current state succeeds without effect; its key replayed later does not move the prospect', async ({
  expect,
}) => {
  const { t, operator, id, path } = await setUp()
  await moveAlong(operator, id, ...road)
  const again = { to: 'negotiation', reason: 'Again.' }
  const stands = { transition: null, business: { version: 5, pipelineState: 'negotiation' } }
  expect(
    await t.changes(async () => {
      expect(await operator.post<Moved>(path, again)).toMatchObject({ status: 200, body: stands })
    }),
  ).toEqual({})
  const key = { 'idempotency-key': 'again' }
  const changes = await t.changes(async () => {
    expect(await operator.post<Moved>(path, again, key)).toMatchObject({ status: 200, body: stands })
  })
  expect(changes).toEqual({ idempotency_keys: 1 })
  await moveTo(operator, id, 'won')
  const later = await t.changes(async () => {
    const { status, body, headers } = await operator.post<Moved>(path, again, key)
    const now = { transition: null, business: { version: 6, pipelineState: 'won' } }
    expect([status, body, headers['idempotency-replayed']]).toMatchObject([200, now, 'true'])
  })
  expect(later).toEqual({})
})

test('a move without a reason records that none was given, in the history and in the audit', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  await moveTo(operator, id, 'contacted')
  expect(await walk<Transition>(operator, path)).toMatchObject([{ reason: NO_REASON }])
  const [event] = await walk<AuditEvent>(operator, `/businesses/${id}/activity`)
  expect(event).toMatchObject({ action: 'pipeline.move', reason: NO_REASON })
})

test('a move outside the table is refused with its field, and nothing changes', async ({ expect }) => {
  const { t, operator, administrator, path } = await setUp()
  await configure(administrator, { pausedEnabled: false, disqualifiedEnabled: false })
  const targets = ['qualified', 'proposal', 'negotiation', 'won', 'lost', 'paused', 'disqualified']
  const bodies = targets.map((to) => ({ to, reason: 'A good one.' }))
  for (const problem of await refusals(t, operator, path, bodies))
    expect(problem).toMatchObject({
      status: 422,
      code: 'transition_not_allowed',
      errors: [{ path: 'to', code: 'transition_not_allowed' }],
    })
})

test('an unknown state or an invalid reason is refused and nothing changes', async ({ expect }) => {
  const { t, operator, path } = await setUp()
  const bodies = [
    { to: 'archived' },
    { to: '' },
    { to: null },
    { to: ['contacted'] },
    { to: 'contacted', reason: '' },
    { to: 'contacted', reason: '  ' },
    { to: 'contacted', reason: 'bell \u0007' },
    { to: 'contacted', reason: 'x'.repeat(REASON_LENGTH + 1) },
    { reason: 'Nowhere to.' },
  ]
  const problems = await refusals(t, operator, path, bodies)
  expect(problems.map(({ status, errors }) => [status, errors?.[0]?.path])).toEqual([
    ...Array.from({ length: 4 }, () => [400, 'to']),
    ...Array.from({ length: 4 }, () => [400, 'reason']),
    [400, 'to'],
  ])
})

test.for(['won', 'lost'])('%s is reopened only to negotiation and only with a reason', async (closed, { expect }) => {
  const { t, operator, id, path } = await setUp()
  await moveAlong(operator, id, ...road, closed)
  const elsewhere = ['new', 'contacted', 'qualified', 'proposal', closed === 'won' ? 'lost' : 'won']
  const problems = await refusals(t, operator, path, [
    { to: 'negotiation' },
    { to: 'negotiation', reason: null },
    ...elsewhere.map((to) => ({ to, reason: 'They called.' })),
  ])
  expect(problems.map(({ status, code }) => [status, code])).toEqual([
    [422, 'reason_required'],
    [422, 'reason_required'],
    ...elsewhere.map(() => [422, 'transition_not_allowed']),
  ])
  expect(problems[0]?.errors).toMatchObject([{ path: 'reason', code: 'reason_required' }])
  const { transition } = await moveTo(operator, id, 'negotiation', 'They called.')
  expect(transition).toMatchObject({ from: closed, to: 'negotiation', reason: 'They called.' })
})

test('paused and disqualified are on in a new tenant until an administrator disables each', async ({ expect }) => {
  const { t, operator, administrator, id, path } = await setUp()
  expect((await operator.get<Pipeline>('/pipeline')).body).toMatchObject({
    version: 1,
    configuration: { pausedEnabled: true, disqualifiedEnabled: true },
  })
  await configure(administrator, { disqualifiedEnabled: false })
  const problems = await refusals(t, operator, path, [{ to: 'disqualified', reason: 'Not a fit.' }, { to: 'paused' }])
  expect(problems.map(({ code }) => code)).toEqual(['transition_not_allowed', 'reason_required'])
  const { business } = await moveTo(operator, id, 'paused', 'Waits for a budget.')
  expect(business).toMatchObject({ pipelineState: 'paused', stateBeforePause: 'new' })
})

test.for(['new', ...road])(
  'paused or disqualified in %s, a prospect returns there only, with a reason',
  async (state, { expect }) => {
    const { t, operator, id, path } = await setUp()
    await moveAlong(operator, id, ...road.slice(0, road.indexOf(state) + 1))
    for (const aside of ['paused', 'disqualified']) {
      await moveTo(operator, id, aside, 'Set aside.')
      const elsewhere = ['new', ...road, 'won', 'lost', 'paused', 'disqualified'].filter(
        (to) => to !== state && to !== aside,
      )
      const problems = await refusals(t, operator, path, [
        ...elsewhere.map((to) => ({ to, reason: 'Elsewhere.' })),
        { to: state },
      ])
      expect(problems.map(({ code }) => code)).toEqual([
        ...elsewhere.map(() => 'transition_not_allowed'),
        'reason_required',
      ])
      const { business } = await moveTo(operator, id, state, 'Back.')
      expect(business).toMatchObject({ pipelineState: state, stateBeforePause: null })
    }
  },
)

test('a prospect returns from a state that the tenant has disabled since', async ({ expect }) => {
  const { t, operator, administrator, id, path } = await setUp()
  await moveTo(operator, id, 'paused', 'Waits.')
  await configure(administrator, { pausedEnabled: false })
  expect((await operator.get<Pipeline>('/pipeline')).body.states).toContainEqual({
    state: 'paused',
    kind: 'set_aside',
    enabled: false,
    count: 1,
  })
  await moveTo(operator, id, 'new', 'Goes on.')
  expect(await refusals(t, operator, path, [{ to: 'paused', reason: 'Again.' }])).toMatchObject([
    { code: 'transition_not_allowed' },
  ])
})

test('do not contact prevents no move, and no move lifts it', async ({ expect }) => {
  const { operator, id } = await setUp()
  const { body: blocked } = await operator.post<Business>(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  const moves: [to: string, reason?: string][] = [
    ['paused', 'Waits.'],
    ['new', 'Back.'],
    ...road.map((state): [string] => [state]),
    ['won'],
    ['negotiation', 'Reopened.'],
    ['lost'],
  ]
  for (const [to, reason] of moves) {
    const { business } = await moveTo(operator, id, to, reason)
    expect([to, business.pipelineState, business.doNotContact]).toEqual([to, to, blocked.doNotContact])
  }
})

test('a merged or inactive business refuses moves, edits, notes and evidence, may still be blocked, and keeps its history', async ({
  expect,
}) => {
  const { t, operator } = await setUp()
  const { id: survivor } = await createProspect(operator)
  for (const end of [{ status: 'inactive' }, { status: 'merged', into: survivor }] as const) {
    const { id } = await createProspect(operator)
    await moveTo(operator, id, 'contacted')
    await addEvidenceTo(operator, id)
    await endProspect(t, id, end)
    const asks: (() => Promise<Answer<Problem>>)[] = [
      () => operator.post(`/businesses/${id}/pipeline-transitions`, { to: 'qualified' }),
      () => operator.post(`/businesses/${id}/pipeline-transitions`, { to: 'contacted' }),
      () => operator.patch(`/businesses/${id}`, { name: 'Changed' }, { 'if-match': '"2"' }),
      () => operator.post(`/businesses/${id}/notes`, { text: 'Too late.' }),
      () => operator.post(`/businesses/${id}/evidence`, seen),
    ]
    for (const ask of asks) {
      const answers: Answer<Problem>[] = []
      expect(
        await t.changes(async () => {
          answers.push(await ask())
        }),
      ).toEqual({})
      expect(answers).toMatchObject([{ status: 422, body: { code: 'business_not_active' } }])
    }
    const { status, body } = await operator.post<Business>(`/businesses/${id}/do-not-contact`, {
      reason: 'They asked.',
    })
    expect([status, body.doNotContact?.reason, body.status]).toEqual([200, 'They asked.', end.status])
    expect(await walk(operator, `/businesses/${id}/pipeline-transitions`)).toHaveLength(1)
    expect(await walk(operator, `/businesses/${id}/evidence`)).toHaveLength(1)
    expect((await walk(operator, `/businesses/${id}/activity`)).length).toBe(4)
  }
})

test('the history lists every move once, newest first, in pages, and no route edits it', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  await moveAlong(operator, id, ...road, 'won')
  const history = await walk<Transition>(operator, path, 2)
  expect(history.map(({ to }) => to)).toEqual([...road, 'won'].toReversed())
  for (const target of [path, `${path}/${history[0]?.id}`]) {
    expect((await operator.patch(target, { reason: 'Rewritten.' }, { 'if-match': '"1"' })).status).toBe(404)
    expect((await operator.delete(target)).status).toBe(404)
  }
})

test('two people who move the same prospect at once both get a response, and one move is written', async ({
  expect,
}) => {
  const { t, operator, path } = await setUp()
  const manager = await t.as('manager')
  const answers: Answer<Moved>[] = []
  const changes = await t.changes(async () => {
    answers.push(...(await Promise.all([operator, manager].map((one) => one.post<Moved>(path, { to: 'contacted' })))))
  })
  expect(changes).toMatchObject({ pipeline_transitions: 1, audit_events: 1 })
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.filter(({ body }) => body.transition === null)).toHaveLength(1)
})
