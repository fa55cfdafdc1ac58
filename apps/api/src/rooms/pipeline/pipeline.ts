import { requireVersion } from '../../http/conditional.ts'
import { type Cursors, newestFirst, type Page, type PageQuery } from '../../http/pagination.ts'
import { actorKey, isBy, type UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import { pipelineStates } from '../../lib/pipeline-state.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { updateInParts } from '../../store/change/in-parts.ts'
import type { Store } from '../../store/store.ts'
import {
  type Business,
  countByState,
  getActiveBusiness,
  getBusiness,
  hidesWrittenFor,
  newestIdFirst,
  reasonForReader,
  setPipelineState,
  throughMerges,
} from '../businesses/businesses.ts'
import {
  getConfiguration,
  getTransition,
  insertTransition,
  saveConfiguration,
  selectTransitions,
} from './pipeline.queries.ts'
import { decideMove, isEnabled, permittedMoves, stateKinds } from './pipeline.rules.ts'
import type { ConfigurePipeline, Move, Moved, Pipeline, Transition } from './pipeline.schema.ts'

/**
 * Moves a prospect along the canonical table (specification, States: Pipeline), with actor, before, after, reason, time,
 * correlation and idempotency id. The same state again succeeds and writes nothing. A do-not-contact record may be moved, for
 * record-keeping; no state lifts its block.
 * Errors: `not_found`, `business_not_active`, `transition_not_allowed`, `reason_required`.
 */
export async function movePipeline(
  tx: Tx,
  businessId: string,
  { to, reason = null }: Move,
): Promise<Moved | Unchanged<Moved>> {
  const { tenantId, correlationId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const { pipelineState: from, stateBeforePause } = business
  const decision = decideMove({ state: from, stateBeforePause }, to, reason, await getConfiguration(tx.db, tenantId))
  if (decision.answer === 'same') return unchanged({ business, transition: null })
  if (decision.answer === 'refused') {
    const { code, explanation } = decision
    const path = code === 'reason_required' ? 'reason' : 'to'
    throw new AppError(code, explanation, { errors: [{ path, code, message: explanation }] })
  }
  const id = newId()
  const moved = await setPipelineState(tx, business, to, decision.stateBeforePause)
  await insertTransition(tx.db, {
    tenant_id: tenantId,
    id,
    business_id: businessId,
    from_state: from,
    to_state: to,
    reason,
    at: tx.at,
    actor: actorKey(tx.actor),
    correlation_id: correlationId,
    idempotency_key: tx.idempotencyKey,
  })
  await tx.record({
    subject: { type: 'business', id: businessId },
    businessId,
    before: { pipelineState: from },
    after: { pipelineState: to, transitionId: id, idempotencyKey: tx.idempotencyKey },
    reason,
  })
  return { business: moved, transition: await getTransition(tx.db, tenantId, id) }
}

/**
 * Moves as they are read on a business by this person: without the reason where the record is do not contact and contact values are not for
 * them, and without the Idempotency-Keys of other people.
 */
export async function transitionsForReader(
  db: Tx['db'],
  reader: UserActor,
  business: Business,
  transitions: readonly Transition[],
): Promise<Transition[]> {
  const movedRecords = transitions.map(({ businessId }) => businessId)
  const isHidden = await hidesWrittenFor(db, reader, business, movedRecords)
  return transitions.map((one) => ({
    ...one,
    reason: reasonForReader(one.reason, { isHidden: isHidden(one.businessId) }),
    idempotencyKey: isBy(one.actor, reader) ? one.idempotencyKey : null,
  }))
}

/** The moves of one business and of those merged into it, newest first. */
export async function listTransitions(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  businessId: string,
  query: PageQuery,
): Promise<Page<Transition>> {
  const { tenantId } = reader
  const business = await getBusiness(store.reader, tenantId, businessId)
  const page = await newestFirst({
    cursors,
    binding: ['pipeline-transitions', tenantId, businessId],
    query,
    fetch: (before, limit) =>
      throughMerges(
        store.reader,
        { tenantId, businessId },
        (id) => selectTransitions(store.reader, { tenantId, businessId: id, before, limit }),
        newestIdFirst,
      ),
    toItem: (row) => row,
  })
  return { ...page, items: await transitionsForReader(store.reader, reader, business, page.items) }
}

/** The tenant's states, permitted moves and counts. */
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

/** Switches the optional states on or off. Prospects that stand in one that is switched off stay there and may be reopened. */
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

/** Takes the reasons of the moves of these records; the moves stay. For the erasure room. Answers of how many. */
export async function eraseReasons(tx: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = tx.actor
  const rows = await tx.db
    .selectFrom('pipeline_transitions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', businessIds)
    .where('reason', 'is not', null)
    .execute()
  return updateInParts(rows, (ids) =>
    tx.db
      .updateTable('pipeline_transitions')
      .set({ reason: null })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ids),
  )
}
