import { actorKey } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { PipelineState } from '../../lib/pipeline-state.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change.ts'
import { getBusiness } from './businesses.queries.ts'
import type { Business } from './businesses.schema.ts'

/** The business, if it may still be worked on: merged and inactive ones are history (specification, Phase 12 §2). */
export async function getActiveBusiness(tx: Tx, id: string): Promise<Business> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.status !== 'active') {
    throw new AppError(
      'business_not_active',
      business.status === 'merged'
        ? 'This business was merged into another; work on that one.'
        : 'This business is inactive.',
    )
  }
  return business
}

/**
 * Blocks a business: **Do not contact**, at once and whatever else is known of it (specification, Phase 12 §2 and §5). Nothing
 * lifts it here. One that is blocked already stays as it is, with its first reason. A merged business may be blocked too: a
 * block is never refused.
 */
export async function blockBusiness(tx: Tx, id: string, reason: string): Promise<Business | Unchanged<Business>> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.doNotContact !== null) return unchanged(business)
  await updateBusiness(tx, business, {
    do_not_contact: 1,
    blocked_at: tx.at,
    blocked_by: actorKey(tx.actor),
    blocked_reason: reason,
  })
  await tx.record({
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: false },
    after: { doNotContact: true },
    reason,
  })
  return getBusiness(tx.db, tx.actor.tenantId, id)
}

/** For the pipeline room, which has checked that the move is allowed and records it. */
export async function setPipelineState(
  tx: Tx,
  business: Business,
  to: PipelineState,
  stateBeforePause: PipelineState | null,
): Promise<Business> {
  await updateBusiness(tx, business, { pipeline_state: to, state_before_pause: stateBeforePause })
  return getBusiness(tx.db, tx.actor.tenantId, business.id)
}

/** For the evidence room. Not a new version: whoever is editing the record is not disturbed by evidence that arrives. */
export async function markHasEvidence(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('businesses')
    .set({ has_evidence: 1 })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .where('has_evidence', '=', 0)
    .execute()
}

type StateColumns = {
  do_not_contact?: 0 | 1
  blocked_at?: string
  blocked_by?: string
  blocked_reason?: string
  pipeline_state?: PipelineState
  state_before_pause?: PipelineState | null
}

async function updateBusiness(tx: Tx, business: Business, columns: StateColumns): Promise<void> {
  await tx.db
    .updateTable('businesses')
    .set({ ...columns, version: business.version + 1, updated_at: tx.at })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', business.id)
    .execute()
}
