import { AppError } from '../../../lib/app-error.ts'
import type { PipelineState } from '../../../lib/pipeline-state.ts'
import type { Tx } from '../../../store/change/change.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { Business } from '../businesses.schema.ts'

/** Returns the business if it may be changed; merged and inactive ones are history (specification, Phase 12 §2). */
export async function getActiveBusiness(tx: Tx, id: string): Promise<Business> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.status !== 'active') {
    throw new AppError(
      'business_not_active',
      business.status === 'merged'
        ? 'This business was merged into another one. Change that one instead.'
        : 'This business is inactive.',
    )
  }
  return business
}

/** Sets the state for the pipeline room, which has checked that the move is allowed and records it. */
export async function setPipelineState(
  tx: Tx,
  business: Business,
  to: PipelineState,
  stateBeforePause: PipelineState | null,
): Promise<Business> {
  await tx.db
    .updateTable('businesses')
    .set({
      pipeline_state: to,
      state_before_pause: stateBeforePause,
      version: business.version + 1,
      updated_at: tx.at,
    })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', business.id)
    .execute()
  return getBusiness(tx.db, tx.actor.tenantId, business.id)
}

/** Sets the flag for the evidence room. The version stays, so that new evidence does not conflict with a person who edits the record. */
export async function markHasEvidence(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('businesses')
    .set({ has_evidence: 1 })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .where('has_evidence', '=', 0)
    .execute()
}
