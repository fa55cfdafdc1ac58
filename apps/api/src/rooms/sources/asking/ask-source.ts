import { setTimeout as delay } from 'node:timers/promises'
import { type Actor, actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { countHealth } from '../health/health.queries.ts'
import type { Purpose } from '../purposes.ts'
import type { StoredOutcome } from '../sources.schema.ts'
import { type Called, callAdapter, causeOfSignal } from './call-adapter.ts'
import { type Ceiling, type Step, stepAfter, withRecords } from './outcome.rules.ts'
import { countPermitsOf, endQuery, insertQuery } from './permits.queries.ts'
import { judge, type Permit, type PermitRequest, type Refusal, settlePermit, takePermit } from './permits.ts'

/*
 * The only code that calls an adapter (specification, Phase 5 §2, §5). Before every request one change checks all conditions again and takes a
 * permit, which is the stored permission to send this request. After the request another change ends the permit and stores the outcome. If a source
 * fails, no other source replaces it.
 */

export type Asking = {
  store: Store
  adapters: LoadedAdapters
  actor: Actor
  signal?: AbortSignal
  /** the first attempt of the job that asks; its end also ends a query that its process left open */
  jobId?: string
  /** Waits between two attempts. Tests replace it. */
  pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export type Question<Answer, Trace> = {
  sourceId: string
  purpose: Purpose<Answer, Trace>
  query: unknown
  /** the requested host, if the source has varying hosts */
  target?: string
  /** the business that the query is about */
  businessId?: string
  /** the id of a query that was accepted and stored before; without it, the query is stored with the first permit */
  queryId?: string
  /** Conditions of the calling room. Called in the change of every permit; returns the reason if the request must not be sent. */
  prevents?: (tx: Tx) => Promise<string | undefined>
  /** maximum number of attempts, if lower than the contract's; 1 means that no request is repeated */
  maxAttempts?: number
  /** Returns what identifies a record. Needed if a provider may return the same record twice. */
  identityOf?: (record: Answer) => string
}

/**
 * Result of a query. `answered`: if `isComplete`, `records` contains all existing records; otherwise `reason` names the cause. `deferred`: the query
 * is not possible now, and the next attempt is possible from `until` on. `unavailable`: the query is not possible. `deferred` and `unavailable` do
 * not mean that there are no records.
 */
export type Outcome<Answer, Trace> = StoredOutcome & {
  queryId: string
  contractVersion: number | null
  answers: Answer[]
  /** the adapter's facts about each request, in the order of the requests */
  traces: Trace[]
}

type State<Answer, Trace> = {
  queryId: string
  number: number | undefined
  isStored: boolean
  /** number of requests that were sent, and number of those that were not retries */
  requests: number
  pages: number
  attempt: number
  /** the failure that is to be retried; undefined before the first attempt of a request */
  failure: Refusal | undefined
  answers: Map<string, Answer>
  traces: Trace[]
}

/**
 * Sends a query to a source: the first request, the retries that the contract allows, and the requests for further pages of the response. A failure
 * of the adapter or the provider becomes an outcome and never an error. Errors: `not_found`, `permission_denied`, `invalid_request` (the query),
 * `unavailable` (the store).
 */
export async function askSource<Answer, Trace>(
  asking: Asking,
  question: Question<Answer, Trace>,
): Promise<Outcome<Answer, Trace>> {
  const state: State<Answer, Trace> = {
    queryId: question.queryId ?? newId(),
    number: undefined,
    isStored: question.queryId !== undefined,
    requests: 0,
    pages: 0,
    attempt: 1,
    failure: undefined,
    answers: new Map(),
    traces: [],
  }
  let { query } = question
  // The limits of the whole query are those of its first request: the plan of a later request covers only the rest of the query.
  let ceiling: Ceiling | undefined
  for (;;) {
    const taken = await permitFor(asking, question, state, query)
    if ('outcome' in taken) return ended(state, taken)
    const called = await send(asking, question, taken, state.attempt)
    state.requests += 1
    if (state.attempt === 1) state.pages += 1
    ceiling ??= ceilingOf(taken, question)
    collect(state, question, called, ceiling.maxRecords)
    const step = await settle(asking, question, { permit: taken, called, ceiling }, state)
    if (step.kind === 'finish') return ended(state, step.outcome)
    if (step.kind === 'retry') {
      state.attempt += 1
      state.failure = { outcome: 'unavailable', reason: step.cause }
      await (asking.pause ?? pause)(step.afterMs, asking.signal)
    } else {
      state.attempt = 1
      state.failure = undefined
      query = step.query
    }
  }
}

function ended<Answer, Trace>(
  { queryId, number, answers, traces }: State<Answer, Trace>,
  outcome: StoredOutcome,
): Outcome<Answer, Trace> {
  return { ...outcome, queryId, contractVersion: number ?? null, answers: [...answers.values()], traces }
}

/** Takes a permit for the next request, or stores the refusal as the outcome of the query. Both have an audit event. */
async function permitFor<Answer, Trace>(
  { store, adapters, actor, signal, jobId }: Asking,
  question: Question<Answer, Trace>,
  state: State<Answer, Trace>,
  query: unknown,
): Promise<Permit | StoredOutcome> {
  const { sourceId, purpose, target = null, businessId = null } = question
  const options = { permission: purpose.permission, action: 'source.query' } as const
  const { value } = await change(store, actor, options, async (tx): Promise<Permitted> => {
    const request = { sourceId, number: state.number, purpose, query, target, attempt: state.attempt }
    const judged = await judgeNext(tx, adapters, request, state.requests)
    const own = await ownRefusal(tx, question, state, signal)
    const number = state.number ?? judged.source?.row.contract_version ?? 1
    if (own !== undefined || 'refusal' in judged) {
      const refusal = own ?? refusalOf(judged)
      // A refused retry does not change how the request ended: a time-out stays a time-out, also if it opened the circuit.
      const ending = own === undefined && state.failure !== undefined ? state.failure : refusal
      const outcome = withRecords({ records: state.answers.size }, ending)
      const refusedRetry = ending === refusal ? {} : { refusedRetry: refusal.reason }
      // Health counts queries that the platform refused before it sent anything. Cancelled and partly sent queries do not count.
      if (own === undefined && state.requests === 0)
        await countHealth(tx.db, { tenantId: tx.actor.tenantId, sourceId }, tx.at, { refused: 1 })
      await storeRefusal(tx, question, state, { number, outcome, ...refusedRetry })
      return { number, taken: outcome }
    }
    const { permit, source } = judged
    const plan = boundsOf(permit, question)
    if (!state.isStored) {
      await insertQuery(tx.db, {
        ...newQuery(tx, {
          id: state.queryId,
          sourceId,
          number: source.row.contract_version,
          purpose: purpose.name,
          businessId,
          jobId: jobId ?? null,
        }),
        plan: JSON.stringify(plan),
      })
    }
    await takePermit(tx, { permit, source }, { queryId: state.queryId, attempt: state.attempt })
    await tx.record({
      action: state.requests === 0 ? 'source.query' : 'source.request',
      subject: { type: 'source', id: sourceId },
      ...(businessId === null ? {} : { businessId }),
      after: {
        queryId: state.queryId,
        permitId: permit.id,
        contractVersion: source.row.contract_version,
        purpose: purpose.name,
        attempt: state.attempt,
        ...plan,
      },
    })
    return { number, taken: permit }
  })
  state.number = value.number
  if (!('outcome' in value.taken)) state.isStored = true
  return value.taken
}

type Permitted = { number: number; taken: Permit | StoredOutcome }
type Judged = Awaited<ReturnType<typeof judge>>

function refusalOf(judged: Judged): Refusal {
  return 'refusal' in judged ? judged.refusal : { outcome: 'unavailable', reason: 'refused' }
}

/**
 * Decides about a request after the first one. The adapter built its query, so an invalid query counts as a faulty response and not as an error of
 * the person.
 */
async function judgeNext(tx: Tx, adapters: LoadedAdapters, request: PermitRequest, sent: number): Promise<Judged> {
  try {
    return await judge(tx, adapters, request)
  } catch (error) {
    if (sent === 0 || !(error instanceof AppError) || error.code !== 'invalid_request') throw error
    return { refusal: { outcome: 'unavailable', reason: 'answer_invalid' }, source: undefined }
  }
}

/**
 * Returns why the query itself does not allow this request: it was cancelled or interrupted, the calling room prevents it, or an earlier process took
 * a permit for it and ended. In the last case the request may have been sent, so it is not repeated.
 */
async function ownRefusal<Answer, Trace>(
  tx: Tx,
  question: Question<Answer, Trace>,
  state: State<Answer, Trace>,
  signal: AbortSignal | undefined,
): Promise<Refusal | undefined> {
  if (signal?.aborted === true) return { outcome: 'unavailable', reason: causeOfSignal(signal) }
  const isRepeated = question.queryId !== undefined && state.requests === 0
  if (isRepeated && (await countPermitsOf(tx.db, tx.actor.tenantId, state.queryId)) > 0)
    return { outcome: 'unavailable', reason: 'interrupted' }
  const reason = await question.prevents?.(tx)
  return reason === undefined ? undefined : { outcome: 'unavailable', reason }
}

async function storeRefusal<Answer, Trace>(
  tx: Tx,
  question: Question<Answer, Trace>,
  state: State<Answer, Trace>,
  { number, outcome, ...refused }: { number: number; outcome: StoredOutcome; refusedRetry?: string },
): Promise<void> {
  const { sourceId, purpose } = question
  const businessId = question.businessId ?? null
  const { tenantId } = tx.actor
  const { queryId: id } = state
  const stored = JSON.stringify(outcome)
  if (state.isStored) await endQuery(tx.db, { tenantId, id, outcome: stored, at: tx.at })
  else {
    const query = newQuery(tx, { id, sourceId, number, purpose: purpose.name, businessId })
    await insertQuery(tx.db, { ...query, outcome: stored, ended_at: tx.at })
  }
  await tx.record({
    action: state.isStored ? 'source.answer' : 'source.query',
    subject: { type: 'source', id: sourceId },
    ...(businessId === null ? {} : { businessId }),
    after: {
      queryId: id,
      contractVersion: number,
      purpose: purpose.name,
      requests: state.requests,
      ...outcome,
      ...refused,
    },
  })
}

export function newQuery(
  tx: Tx,
  {
    id,
    sourceId,
    number,
    purpose,
    businessId,
    jobId = null,
  }: {
    id: string
    sourceId: string
    number: number
    purpose: string
    businessId: string | null
    jobId?: string | null
  },
) {
  return {
    tenant_id: tx.actor.tenantId,
    id,
    source_id: sourceId,
    number,
    kind: 'query' as const,
    purpose,
    business_id: businessId,
    request: null,
    plan: '{}',
    outcome: null,
    job_id: jobId,
    at: tx.at,
    actor: actorKey(tx.actor),
    ended_at: null,
  }
}

type Attempts = Pick<Question<unknown, unknown>, 'maxAttempts'>

function boundsOf({ planned: { plan }, contract }: Permit, question: Attempts) {
  return {
    requests: plan.maxRequests * attemptsOf(contract, question),
    bytes: Math.min(plan.maxBytes, plan.maxRequests * contract.maxBytes),
    records: Math.min(plan.maxRecords, contract.scope.maxRecords),
  }
}

function attemptsOf({ retry }: Permit['contract'], { maxAttempts = retry.maxAttempts }: Attempts): number {
  return Math.min(retry.maxAttempts, maxAttempts)
}

function ceilingOf({ planned: { plan }, contract }: Permit, question: Attempts): Ceiling {
  return {
    maxRequests: plan.maxRequests,
    maxRecords: Math.min(plan.maxRecords, contract.scope.maxRecords),
    maxAttempts: attemptsOf(contract, question),
  }
}

function send<Answer, Trace>(
  { store, signal }: Asking,
  { purpose }: Question<Answer, Trace>,
  { planned, contract }: Permit,
  attempt: number,
): Promise<Called<Answer, Trace>> {
  const { adapter, query, settings } = planned
  const { timeoutMs, maxBytes } = contract
  const call = {
    adapter,
    query,
    settings,
    timeoutMs,
    maxBytes,
    attempt,
    signal: signal ?? new AbortController().signal,
  }
  return callAdapter({ ...call, clock: store.clock }, purpose)
}

/** Adds the records of a response without duplicates, up to the limit of the query. */
function collect<Answer, Trace>(
  { answers, traces }: State<Answer, Trace>,
  { identityOf }: Question<Answer, Trace>,
  { result, trace }: Called<Answer, Trace>,
  maxRecords: number,
): void {
  if (trace !== null) traces.push(trace)
  if (result.outcome !== 'answered') return
  for (const record of result.records) {
    const identity = identityOf?.(record) ?? String(answers.size)
    if (answers.size < maxRecords && !answers.has(identity)) answers.set(identity, record)
  }
}

async function settle<Answer, Trace>(
  { store, actor }: Asking,
  question: Question<Answer, Trace>,
  { permit, called, ceiling }: { permit: Permit; called: Called<Answer, Trace>; ceiling: Ceiling },
  state: State<Answer, Trace>,
): Promise<Step> {
  const { sourceId, businessId } = question
  // No permission is required here, because the change of the permit checked it. The result must be stored even if the person has lost the permission
  // since.
  const { value } = await change(store, actor, { permission: null, action: 'source.answer' }, async (tx) => {
    const { deferUntil } = await settlePermit(tx, sourceId, permit, called)
    const progress = { records: state.answers.size, requests: state.pages, attempt: state.attempt }
    const step = stepAfter(called, progress, ceiling, deferUntil)
    // The query has ended already if its job ended while the provider was answering. Its outcome stays, and only the permit is settled.
    const isFinal =
      step.kind === 'finish' &&
      (await endQuery(tx.db, {
        tenantId: actor.tenantId,
        id: state.queryId,
        outcome: JSON.stringify(step.outcome),
        at: tx.at,
      }))
    const { outcome } = called.result
    const told =
      step.kind === 'finish' ? step.outcome : { outcome, reason: 'cause' in called.result ? called.result.cause : null }
    await tx.record({
      subject: { type: 'source', id: sourceId },
      ...(businessId === undefined ? {} : { businessId }),
      after: {
        queryId: state.queryId,
        permitId: permit.id,
        attempt: state.attempt,
        bytes: called.bytes,
        latencyMs: called.latencyMs,
        isFinal,
        ...told,
      },
    })
    return step
  })
  return value
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}
