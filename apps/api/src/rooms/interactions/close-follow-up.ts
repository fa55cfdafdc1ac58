import { actorKey } from '../../lib/actor.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { familyOf, getActiveBusiness } from '../businesses/businesses.ts'
import { insertFollowUpClosure, selectOpenFollowUps } from './interactions.queries.ts'
import { refreshLastContact } from './last-contact.ts'

/**
 * Closes the open follow-up of a record manually. (The next interaction closes it as well.) Nothing is scheduled or sent. If the record has no open
 * follow-up, nothing changes. Errors: `not_found`, `business_not_active`.
 */
export async function closeFollowUp(tx: Tx, businessId: string): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const { tenantId } = tx.actor
  const { followUpOn } = await getActiveBusiness(tx, businessId)
  if (followUpOn === null) return unchanged({ id: businessId })
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
  return { id: businessId }
}
