import fc from 'fast-check'
import { test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { createProspect, type Problem, walk } from '../../../../test/prospects.ts'
import { type PipelineState, pipelineStates } from '../../../lib/pipeline-state.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.ts'
import { type Moved, NO_REASON, type Pipeline, type Transition } from '../pipeline.schema.ts'

/*
 * Tests random transitions of two prospects, with and without reasons and keys, together with repeated requests, blocks and configuration changes.
 * The API must store what this small model expects: each accepted transition once, and nothing else.
 */

type Step =
  | { do: 'move'; prospect: 0 | 1; to: PipelineState; reason: string | null; key: number | null }
  | { do: 'block'; prospect: 0 | 1 }
  | { do: 'configure'; pausedEnabled: boolean; disqualifiedEnabled: boolean }

const prospect = fc.constantFrom(0 as const, 1 as const)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      prospect,
      to: fc.constantFrom(...pipelineStates),
      reason: fc.option(fc.constantFrom('They called.', 'Not now.')),
      key: fc.option(fc.nat(3)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), prospect }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('configure' as const),
      pausedEnabled: fc.boolean(),
      disqualifiedEnabled: fc.boolean(),
    }),
  },
)

/** Some runs begin in later states, because random transitions seldom get beyond the first ones. */
const road = ['contacted', 'qualified', 'proposal', 'negotiation', 'won'] as const
const anyDay = fc
  .tuple(fc.nat(road.length), fc.array(anyStep, { minLength: 5, maxLength: 30 }))
  .map(([ahead, steps]): Step[] => [
    ...road.slice(0, ahead).map((to): Step => ({ do: 'move', prospect: 0, to, reason: null, key: null })),
    ...steps,
  ])

const forward: Partial<Record<PipelineState, PipelineState[]>> = {
  new: ['contacted'],
  contacted: ['qualified'],
  qualified: ['proposal'],
  proposal: ['negotiation'],
  negotiation: ['won', 'lost'],
}
const open = Object.keys(forward)

type PipelinePosition = { state: PipelineState; before: PipelineState | null }
type Configuration = { pausedEnabled: boolean; disqualifiedEnabled: boolean }

function expectedAnswer(
  { state, before }: PipelinePosition,
  to: PipelineState,
  reason: string | null,
  on: Configuration,
) {
  if (state === to) return 'same'
  if (forward[state]?.includes(to)) return 'moved'
  const isAside =
    open.includes(state) && ((to === 'paused' && on.pausedEnabled) || (to === 'disqualified' && on.disqualifiedEnabled))
  const isReopened =
    ((state === 'won' || state === 'lost') && to === 'negotiation') || (before !== null && to === before)
  if (!isAside && !isReopened) return 'transition_not_allowed'
  return reason === null ? 'reason_required' : 'moved'
}

type Accepted = { from: PipelineState; to: PipelineState; reason: string | null; idempotencyKey: string | null }

class Desk {
  readonly ids: string[]
  readonly places: PipelinePosition[] = [
    { state: 'new', before: null },
    { state: 'new', before: null },
  ]
  readonly history: Accepted[][] = [[], []]
  readonly blocked = [false, false]
  /**
   * responses by idempotency key, including those without a change; a repeated request must return the stored response and must not move the prospect
   * again
   */
  readonly answered = new Map<string, { request: string; answer: string }>()
  configuration: Configuration = { pausedEnabled: true, disqualifiedEnabled: true }

  constructor(ids: string[]) {
    this.ids = ids
  }

  /** sends a transition; returns the response, and the response that the model expects */
  async move(client: TestClient, step: Extract<Step, { do: 'move' }>): Promise<[answered: unknown, expected: unknown]> {
    const { prospect, to, reason, key } = step
    const id = this.ids[prospect] ?? ''
    const place = this.places[prospect] ?? { state: 'new', before: null }
    const name = key === null ? null : `${this.ids[0]}-${key}`
    const { status, body } = await client.post<Moved & Problem>(
      `/businesses/${id}/pipeline-transitions`,
      { to, reason },
      name === null ? {} : { 'idempotency-key': name },
    )
    const answered = status === 200 ? (body.transition?.id ?? 'same') : body.code
    const request = `${prospect} ${to} ${reason}`
    const known = name === null ? undefined : this.answered.get(name)
    if (known !== undefined) return [answered, known.request === request ? known.answer : 'idempotency_key_reused']
    const expected = expectedAnswer(place, to, reason, this.configuration)
    if (name !== null && status === 200) this.answered.set(name, { request, answer: answered })
    if (expected !== 'moved') return [answered, expected]
    this.places[prospect] = { state: to, before: to === 'paused' || to === 'disqualified' ? place.state : null }
    this.history[prospect]?.push({ from: place.state, to, reason: reason ?? NO_REASON, idempotencyKey: name })
    return [status, 200]
  }
}

test('for any sequence of requests the history contains each accepted move with one transition and one event', async ({
  expect,
}) => {
  const t = await buildTestApp()
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  const states: PipelineState[] = []

  async function live(steps: readonly Step[]): Promise<void> {
    const desk = new Desk([(await createProspect(operator)).id, (await createProspect(operator)).id])
    await configure(administrator, desk.configuration)
    for (const step of steps) {
      if (step.do === 'move') {
        const [answered, expected] = await desk.move(operator, step)
        expect([step, answered]).toEqual([step, expected])
      } else if (step.do === 'block') {
        await operator.post(`/businesses/${desk.ids[step.prospect]}/do-not-contact`, { reason: 'They asked.' })
        desk.blocked[step.prospect] = true
      } else {
        const { do: _, ...configuration } = step
        await configure(administrator, configuration)
        desk.configuration = configuration
      }
    }
    for (const [index, id] of desk.ids.entries()) {
      const place = desk.places[index] ?? { state: 'new', before: null }
      await compare(t, operator, id, place, desk.history[index] ?? [], desk.blocked[index] ?? false)
      states.push(place.state)
    }
  }

  async function compare(
    { tenants }: TestApp,
    client: TestClient,
    id: string,
    place: PipelinePosition,
    accepted: readonly Accepted[],
    isBlocked: boolean,
  ): Promise<void> {
    const { body: business } = await client.get<Business>(`/businesses/${id}`)
    expect([
      business.pipelineState,
      business.stateBeforePause,
      business.doNotContact !== null,
      business.version,
    ]).toEqual([place.state, place.before, isBlocked, 1 + accepted.length + (isBlocked ? 1 : 0)])
    const history = (await walk<Transition>(client, `/businesses/${id}/pipeline-transitions`, 7)).toReversed()
    const actor = { id: tenants.home.users.operator.id }
    expect(history).toMatchObject(accepted.map((move) => ({ ...move, businessId: id, actor })))
    const events = (await walk<AuditEvent>(client, `/businesses/${id}/activity`, 9))
      .toReversed()
      .filter(({ action }) => action === 'pipeline.move')
    expect(events).toMatchObject(
      history.map(({ id: transitionId, from, to, reason, at, idempotencyKey, correlationId }) => ({
        at,
        actor,
        reason,
        correlationId,
        before: { pipelineState: from },
        after: { pipelineState: to, transitionId, idempotencyKey },
      })),
    )
  }

  await fc.assert(fc.asyncProperty(anyDay, live), { numRuns: 15 })

  const { body } = await operator.get<Pipeline>('/pipeline')
  expect(body.states.map(({ state, count }) => [state, count])).toEqual(
    pipelineStates.map((state) => [state, states.filter((one) => one === state).length]),
  )
  const verified = await administrator.get<{ status: string }>('/audit-events/verification')
  expect(verified.body.status).toBe('intact')
})

async function configure(client: TestClient, configuration: Configuration): Promise<void> {
  const { headers } = await client.get('/pipeline')
  await client.patch('/pipeline', configuration, { 'if-match': String(headers.etag) })
}
