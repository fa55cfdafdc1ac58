import { actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { PipelineState } from '../../../lib/pipeline-state.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { GateMatch } from '../../contact-gate/contact-gate.ts'
import { getBusiness } from '../businesses.queries.ts'
import type { Business } from '../businesses.schema.ts'
import type { BlockedThrough } from '../businesses.table.ts'
import { survivorsOf, tellingCarriedBlocks } from './carried-blocks.ts'

/** The reason that everybody reads of a mark that an entry made; who may see entries sees which one it was. The triggers of 0014 write the same words. */
export const MATCHED_REASON = 'A suppression entry matches this record.'

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

/** A reason that somebody wrote on an erased record would be the one thing in it that no erasure takes away. */
async function getUnerased(tx: Tx, id: string): Promise<Business> {
  const business = await getBusiness(tx.db, tx.actor.tenantId, id)
  if (business.erasedAt !== null)
    throw new AppError(
      'business_not_active',
      'This record was erased: nothing is left of it that anybody could contact.',
    )
  return business
}

/**
 * Blocks a business by hand: **Do not contact**, at once and whatever else is known of it (specification, Phase 12 §2 and §5). One that
 * was blocked by hand already stays as it is, with its first reason; one that an entry holds is then held by both. A merged business
 * may be blocked too: a block is never refused, but of an erased one, of which nothing is left to contact (decision 28).
 * Errors: `not_found`, `business_not_active`.
 */
export async function blockBusiness(tx: Tx, id: string, reason: string): Promise<Business | Unchanged<Business>> {
  const business = await getUnerased(tx, id)
  if (business.doNotContact !== null && business.doNotContact.through !== 'suppression') return unchanged(business)
  await tellingCarriedBlocks(tx, { from: id, to: await survivorsOf(tx, id) }, () =>
    updateBusiness(tx, business, {
      do_not_contact: 1,
      blocked_at: tx.at,
      blocked_by: actorKey(tx.actor),
      blocked_reason: reason,
      blocked_through: business.doNotContact === null ? 'hand' : 'both',
    }),
  )
  await tx.record({
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: business.doNotContact !== null },
    after: { doNotContact: true },
    reason,
  })
  return getBusiness(tx.db, tx.actor.tenantId, id)
}

/**
 * Lifts a block that was made by hand, and answers the id of its audit event. What an entry holds stays blocked, through the entry alone.
 * For the suppression room, which asks who may, and why. Errors: `not_found`, `business_not_active`, `not_blocked_by_hand`.
 */
export async function liftBlock(tx: Tx, id: string, reason: string): Promise<string> {
  const business = await getUnerased(tx, id)
  const block = business.doNotContact
  if (block === null || block.through === 'suppression') {
    throw new AppError(
      'not_blocked_by_hand',
      block === null
        ? 'This business is not blocked.'
        : 'Nobody blocked this business by hand: a suppression entry holds it. Remove that entry.',
    )
  }
  const isHeld = block.through === 'both'
  await updateBusiness(tx, business, {
    do_not_contact: isHeld ? 1 : 0,
    blocked_at: isHeld ? tx.at : null,
    blocked_by: isHeld ? actorKey(tx.actor) : null,
    blocked_reason: isHeld ? MATCHED_REASON : null,
    blocked_through: isHeld ? 'suppression' : 'hand',
  })
  return tx.record({
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: true, reason: block.reason },
    after: { doNotContact: isHeld },
    reason,
  })
}

/** Tells the activity of a business that an entry marked it as it was written. */
export async function recordMatch(tx: Tx, id: string, matches: readonly GateMatch[]): Promise<void> {
  await tx.record({
    action: 'business.match_suppression',
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: false },
    after: { doNotContact: true, suppressions: [...new Set(matches.map(({ suppressionId }) => suppressionId))] },
    reason: MATCHED_REASON,
  })
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
  blocked_at?: string | null
  blocked_by?: string | null
  blocked_reason?: string | null
  blocked_through?: BlockedThrough
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
