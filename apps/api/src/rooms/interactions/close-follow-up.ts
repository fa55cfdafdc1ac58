import { actorKey } from '../../lib/actor.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import {
  type Business,
  familyOf,
  getActiveBusiness,
  getBusiness,
  refreshLastContact,
} from '../businesses/businesses.ts'
import { insertFollowUpClosure, selectOpenFollowUps } from './interactions.queries.ts'

/**
 * Closes the open follow-up of a record manually. (The next interaction closes it as well.) Nothing is scheduled or sent. If the record has no open
 * follow-up, nothing changes. Errors: `not_found`, `business_not_active`.
 */
export async function closeFollowUp(tx: Tx, businessId: string): Promise<Business | Unchanged<Business>> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const { followUpOn } = business
  if (followUpOn === null) return unchanged(business)
  const family = await familyOf(tx.db, tenantId, businessId)
  for (const { id, business_id } of await selectOpenFollowUps(tx.db, tenantId, family, followUpOn))
    await insertFollowUpClosure(tx.db, {
      tenant_id: tenantId,
      interaction_id: id,
      business_id,
      follow_up_on: followUpOn,
      closed_at: tx.at,
      closed_by: actorKey(tx.actor),
    })
  await refreshLastContact(tx, businessId)
  await tx.record({
    subject: { type: 'business', id: businessId },
    businessId,
    before: { followUpOn },
    after: { followUpOn: null },
  })
  return getBusiness(tx.db, tenantId, businessId)
}
