import { requireVersion } from '../../http/conditional.ts'
import { actorKey, isBy, type UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { type PipelineState, pipelineStates } from '../../lib/pipeline-state.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import {
  businessChild,
  countByState,
  getActiveBusiness,
  getBusiness,
  setPipelineState,
} from '../businesses/businesses.ts'
import {
  getConfiguration,
  getTransition,
  insertTransition,
  saveConfiguration,
  selectTransitions,
} from './pipeline.queries.ts'
import { decideMove, isEnabled, permittedMoves, stateKinds } from './pipeline.rules.ts'
import {
  type ConfigurePipeline,
  type Move,
  type Moved,
  NO_REASON,
  type Pipeline,
  type Transition,
} from './pipeline.schema.ts'

/** A move, as it is stored with its Idempotency-Key; `transitionId` is null for a move to the current state. */
type StoredMove = { id: string; transitionId: string | null }

/**
 * Moves a prospect by the canonical transition table (specification, States: Pipeline), and records actor, before, after, reason, time, correlation
 * and idempotency id. A transition to the current state succeeds and writes nothing. A do not contact record can be moved, for record-keeping; no
 * state lifts its block. Errors: `not_found`, `business_not_active`, `transition_not_allowed`, `reason_required`.
 */
export async function movePipeline(
  tx: Tx,
  businessId: string,
  { to, reason = null }: Move,
): Promise<StoredMove | Unchanged<StoredMove>> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const { pipelineState: from, stateBeforePause } = business
  const decision = decideMove({ state: from, stateBeforePause }, to, reason, await getConfiguration(tx.db, tenantId))
  if (decision.answer === 'same') return unchanged({ id: businessId, transitionId: null })
  if (decision.answer === 'refused') {
    const { code, explanation } = decision
    const path = code === 'reason_required' ? 'reason' : 'to'
    throw new AppError(code, explanation, { errors: [{ path, code, message: explanation }] })
  }
  await setPipelineState(tx, business, to, decision.stateBeforePause)
  const id = await recordTransition(tx, { businessId, from, to, reason: reason ?? NO_REASON, mergeId: null })
  await tx.record({
    subject: { type: 'business', id: businessId },
    businessId,
    before: { pipelineState: from },
    after: { pipelineState: to, transitionId: id, idempotencyKey: tx.idempotencyKey },
    reason: reason ?? NO_REASON,
  })
  return { id: businessId, transitionId: id }
}

type Transited = {
  businessId: string
  from: PipelineState
  to: PipelineState
  reason: string | null
  mergeId: string | null
}

/**
 * Inserts the transition of a state that the caller changes in the same change, and returns its id. A merge and its reversal write theirs with the id
 * of the merge, so that no state changes without a transition (specification, States: Pipeline). Reports do not count them as work.
 */
export async function recordTransition(tx: Tx, { businessId, from, to, reason, mergeId }: Transited): Promise<string> {
  const id = newId()
  await insertTransition(tx.db, {
    tenant_id: tx.actor.tenantId,
    id,
    business_id: businessId,
    from_state: from,
    to_state: to,
    reason,
    at: tx.at,
    actor: actorKey(tx.actor),
    correlation_id: tx.actor.correlationId,
    idempotency_key: tx.idempotencyKey,
    merge_id: mergeId,
  })
  return id
}

/** Returns the moved business and its transition as they are now. Errors: `not_found`. */
export async function getMoved(db: Tx['db'], reader: UserActor, { id, transitionId }: StoredMove): Promise<Moved> {
  const { tenantId } = reader
  const business = await getBusiness(db, tenantId, id)
  const transition =
    transitionId === null ? null : await getTransition(db, { tenantId, businessId: id, id: transitionId })
  return { business, transition: transition && withoutKeyOfOthers(transition, reader) }
}

/** Transitions as children of a business: those of the business and of records merged into it, newest first. An erasure removes their reasons. */
export const transitionsOfBusiness = businessChild<Transition, Transition>({
  name: 'pipeline-transitions',
  table: 'pipeline_transitions',
  select: (db, { before: [before] = [], ...wanted }) => selectTransitions(db, { ...wanted, before }),
  businessOf: (one) => one.businessId,
  toItem: (one, { reader }) => withoutKeyOfOthers(one, reader),
})

/** Returns a transition without the idempotency key of another person. */
function withoutKeyOfOthers(one: Transition, reader: UserActor): Transition {
  return isBy(one.actor, reader) ? one : { ...one, idempotencyKey: null }
}

/** Returns the tenant's pipeline: its states with their counts, and the permitted transitions. */
export async function describePipeline(db: Tx['db'], tenantId: string, asOf: string): Promise<Pipeline> {
  const { version, ...configuration } = await getConfiguration(db, tenantId)
  const counts = await countByState(db, tenantId)
  return {
    version,
    states: pipelineStates.map((state) => ({
      state,
      kind: stateKinds[state],
      enabled: isEnabled(state, configuration),
      count: counts[state],
    })),
    transitions: permittedMoves(configuration),
    configuration,
    asOf,
  }
}

/** Enables or disables the optional states. Prospects in a disabled state keep it and can be reopened. */
export async function configurePipeline(
  tx: Tx,
  expectedVersion: number,
  edit: ConfigurePipeline,
): Promise<Pipeline | Unchanged<Pipeline>> {
  const { tenantId } = tx.actor
  const { version, ...before } = await getConfiguration(tx.db, tenantId)
  requireVersion(expectedVersion, version)
  const after = {
    pausedEnabled: edit.pausedEnabled ?? before.pausedEnabled,
    disqualifiedEnabled: edit.disqualifiedEnabled ?? before.disqualifiedEnabled,
  }
  if (after.pausedEnabled === before.pausedEnabled && after.disqualifiedEnabled === before.disqualifiedEnabled) {
    return unchanged(await describePipeline(tx.db, tenantId, tx.at))
  }
  await saveConfiguration(tx.db, tenantId, { ...after, version: version + 1 }, tx.at)
  await tx.record({ subject: { type: 'pipeline', id: tenantId }, before, after })
  return describePipeline(tx.db, tenantId, tx.at)
}

export { moveSchema } from './pipeline.schema.ts'
