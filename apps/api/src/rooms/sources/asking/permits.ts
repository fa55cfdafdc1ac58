import { actorKey } from '../../../lib/actor.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import { findTransition, insertTransition, selectCounted } from '../circuit/circuit.queries.ts'
import { transitionAfter, windowOf } from '../circuit/circuit.rules.ts'
import { countHealth } from '../health/health.queries.ts'
import { startOf } from '../health/health.rules.ts'
import type { Purpose } from '../purposes.ts'
import { type CompleteContract, completeContract } from '../registry/contract.rules.ts'
import { recordLapses } from '../registry/decide.ts'
import { type AdapterSource, getSourceRow, readSourceState } from '../registry/source-state.ts'
import type { StoredOutcome } from '../sources.schema.ts'
import type { SourceCircuitTable } from '../sources.table.ts'
import { type Called, OVERRUN_MS } from './call-adapter.ts'
import { meaningOf, statusReasons } from './outcome.rules.ts'
import { endPermit, insertPermit, readUsage, type Usage } from './permits.queries.ts'
import { type PlannedQuery, planQuery, type Stop } from './plan-query.ts'

/*
 * Permits (specification, Limits; Phase 5 §5). A permit is the stored permission to send one request. A durable change checks all conditions again
 * and inserts it. It counts against the budgets even if the process dies before the response. When its lease ends, another request may take its
 * place.
 */

/** Time by which a lease outlasts its request, so that a slow settlement does not permit another request too early. */
const LEASE_MARGIN_MS = 10_000
const MINUTE_MS = 60_000

export type Refusal = Exclude<StoredOutcome, { outcome: 'answered' }>

/** The data of a request that its permit and its settlement need. */
export type Permit = {
  id: string
  planned: PlannedQuery
  contract: CompleteContract
  answersFrom: 'one_provider' | 'varying_targets'
  target: string | null
  circuitId: string | null
}

export type PermitRequest = {
  sourceId: string
  /** version of the contract for which the query was accepted; undefined at its first request */
  number: number | undefined
  purpose: Pick<Purpose, 'name'>
  query: unknown
  target: string | null
  attempt: number
}

/**
 * Decides whether a request may be sent now, as of this transaction. Writes nothing, except the record of a lapse that it finds: an item of an
 * approved source that is no longer valid.
 */
export async function judge(
  tx: Tx,
  adapters: LoadedAdapters,
  { sourceId, number, purpose, query, target }: PermitRequest,
): Promise<{ refusal: Refusal; source: AdapterSource | undefined } | { permit: Permit; source: AdapterSource }> {
  const { tenantId } = tx.actor
  const row = await getSourceRow(tx.db, tenantId, sourceId)
  const source = await readSourceState({ db: tx.db, tenantId, at: tx.at, adapters }, row)
  if (source === undefined) return { refusal: unavailable('built_in'), source }
  const refuse = (refusal: Refusal) => ({ refusal, source })
  await recordLapses({ tx }, source)
  const { status } = source.state
  if (number !== undefined && number !== row.contract_version) return refuse(unavailable('source_changed'))
  if (status !== 'enabled') return refuse(unavailable(statusReasons[status]))
  const contract = completeContract(source.contract)
  if (contract === undefined) return refuse(unavailable('source_incomplete'))
  if (!contract.purposes.includes(purpose.name)) return refuse(unavailable('purpose_not_permitted'))
  const { planned, stops } = planQuery(source.adapter, adapters, contract, query)
  const [stop] = stops
  if (stop?.item === 'scope') return refuse(outsideScope(stops))
  if (stop !== undefined) return refuse(unavailable(`${stop.item}_refused`))
  if (planned === undefined) return refuse(unavailable('not_loaded'))
  const { answersFrom } = planned.adapter
  const circuit = await findTransition(tx.db, { tenantId, sourceId })
  if (circuit?.state === 'open') return refuse(unavailable('circuit_open'))
  const held = budgetRefusal(await usageOf(tx, source, answersFrom, target), contract, circuit, source.present.now)
  if (held !== undefined) return refuse(held)
  return { permit: { id: newId(), planned, contract, answersFrom, target, circuitId: circuit?.id ?? null }, source }
}

async function usageOf(
  tx: Tx,
  { row, present: { now } }: AdapterSource,
  answersFrom: Permit['answersFrom'],
  target: string | null,
): Promise<Usage> {
  return readUsage(
    tx.db,
    { tenantId: row.tenant_id, sourceId: row.id },
    {
      now,
      minuteAgo: later(now, -MINUTE_MS),
      today: startOf('day', now),
      target: answersFrom === 'varying_targets' ? target : null,
    },
  )
}

/** Returns the refusal if a budget permits no request now; otherwise undefined. */
function budgetRefusal(
  { minute, oldest, day, live, lease, deferred, deferred_cause }: Usage,
  { rate, concurrency }: CompleteContract,
  circuit: SourceCircuitTable | undefined,
  now: string,
): Refusal | undefined {
  if (deferred !== null)
    return deferred_cause === 'access_denied'
      ? unavailable('target_denied')
      : defer(deferred_cause ?? 'rate_limited', deferred)
  if (day >= rate.perDay) return defer('budget_day', later(startOf('day', now), DAY_MS))
  if (minute >= rate.perMinute) return defer('budget_minute', later(oldest ?? now, MINUTE_MS))
  // After a reset the circuit is on probation, and then only one concurrent request is permitted.
  const places = circuit?.state === 'probation' ? 1 : concurrency
  return live >= places ? defer('concurrency', lease ?? now) : undefined
}

/** Inserts the permit that `judge` granted, and counts the request. The query must be stored before. */
export async function takePermit(
  tx: Tx,
  { permit, source }: { permit: Permit; source: AdapterSource },
  { queryId, attempt }: { queryId: string; attempt: number },
): Promise<void> {
  const { tenantId } = tx.actor
  const { id: sourceId } = source.row
  const { now } = source.present
  await insertPermit(tx.db, {
    tenant_id: tenantId,
    id: permit.id,
    source_id: sourceId,
    query_id: queryId,
    attempt,
    target: permit.target,
    circuit_id: permit.circuitId,
    taken_at: now,
    lease_until: later(now, permit.contract.timeoutMs + OVERRUN_MS + LEASE_MARGIN_MS),
  })
  await countHealth(tx.db, { tenantId, sourceId }, now, { requests: 1 })
}

/** Ends a permit with the outcome of its request. Updates the counts, the time until which requests are deferred, and the circuit. */
export async function settlePermit(
  tx: Tx,
  sourceId: string,
  { id, answersFrom, target, circuitId, contract }: Permit,
  called: Called,
): Promise<{ deferUntil: string | null }> {
  const { tenantId } = tx.actor
  const key = { tenantId, sourceId }
  const { isFailure, isAccessDenied, cause, deferMs, counter } = meaningOf(called, answersFrom)
  // With varying hosts, requests are deferred only for a known host, because the response of one host says nothing about the source.
  const isDeferrable = answersFrom === 'one_provider' || target !== null
  const deferUntil = deferMs !== null && isDeferrable ? later(tx.at, deferMs) : null
  await endPermit(tx.db, {
    tenantId,
    id,
    ended_at: tx.at,
    is_failure: isFailure === null ? null : isFailure ? 1 : 0,
    cause,
    latency_ms: called.latencyMs,
    bytes: called.bytes,
    defer_until: deferUntil,
  })
  const circuit = await findTransition(tx.db, key)
  const state = circuit?.state ?? 'closed'
  // A request that began before the last transition of the circuit does not affect the circuit.
  const isCounted = isFailure !== null && (circuit?.id ?? null) === circuitId
  const recent = isCounted ? await selectCounted(tx.db, key, circuitId, windowOf(contract.circuit)) : []
  const transition = transitionAfter({ state, recent, isAccessDenied }, contract.circuit)
  if (transition !== undefined) await moveCircuit(tx, sourceId, circuit, transition)
  const counted = counter === null ? {} : { [counter]: 1 }
  const { latencyMs, bytes } = called
  await countHealth(tx.db, key, tx.at, { ...counted, bytes, latencyMs, circuit: transition?.state ?? state })
  return { deferUntil }
}

async function moveCircuit(
  tx: Tx,
  sourceId: string,
  before: SourceCircuitTable | undefined,
  { state, cause }: NonNullable<ReturnType<typeof transitionAfter>>,
): Promise<void> {
  const id = newId()
  const openingId = state === 'open' ? id : (before?.opening_id ?? id)
  await insertTransition(tx.db, {
    tenant_id: tx.actor.tenantId,
    id,
    source_id: sourceId,
    state,
    opening_id: openingId,
    cause,
    incident_id: null,
    at: tx.at,
    actor: actorKey(tx.actor),
  })
  await tx.record({
    action: 'source.circuit',
    subject: { type: 'source', id: sourceId },
    before: { state: before?.state ?? 'closed' },
    after: { state, cause, openingId },
  })
}

/** Names the fields, provinces or numbers that the contract does not permit. */
function outsideScope(stops: readonly Stop[]): Refusal {
  return { outcome: 'unavailable', reason: 'outside_scope', detail: stops.map(({ reason }) => reason).join(' ') }
}

function unavailable(reason: string): Refusal {
  return { outcome: 'unavailable', reason }
}

function defer(reason: string, until: string): Refusal {
  return { outcome: 'deferred', reason, until }
}

function later(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString()
}
