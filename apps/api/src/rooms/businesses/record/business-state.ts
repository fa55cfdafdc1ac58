import { AppError } from '../../../lib/app-error.ts'
import type { OpenState, PipelineState } from '../../../lib/pipeline-state.ts'
import type { Tx } from '../../../store/change/change.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { Business } from '../businesses.schema.ts'

/**
 * Returns the business if it is active. Merged and inactive businesses must not be changed (specification, Phase 12 §2). Errors: `not_found`,
 * `business_not_active`.
 */
export async function getActiveBusiness(tx: Tx, id: string): Promise<Business> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.status !== 'active') {
    throw new AppError(
      'business_not_active',
      business.status === 'merged'
        ? 'This record was merged into another record. Change the other record instead.'
        : 'This record is inactive.',
    )
  }
  return business
}

/** Sets the pipeline state. Only the pipeline room calls this: it checks that the transition is allowed and records it. */
export async function setPipelineState(
  tx: Tx,
  business: Business,
  to: PipelineState,
  stateBeforePause: OpenState | null,
): Promise<void> {
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
}

/** Raises the version of a record after a change that another room stores, so that a later edit based on the version before is refused. */
export async function raiseVersion(tx: Tx, { id, version }: Pick<Business, 'id' | 'version'>): Promise<void> {
  await tx.db
    .updateTable('businesses')
    .set({ version: version + 1, updated_at: tx.at })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .execute()
}
