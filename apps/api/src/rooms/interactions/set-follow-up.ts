import { requireVersion } from '../../http/conditional.ts'
import { actorKey } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import { getActiveBusiness, raiseVersion } from '../businesses/businesses.ts'
import { requireTodayOrLater } from './follow-up-day.ts'
import { insertFollowUpChange } from './interactions.queries.ts'
import type { SetFollowUp } from './interactions.schema.ts'
import { refreshLastContact } from './last-contact.ts'

/**
 * Sets, moves or clears (null) the follow-up date of a record without an interaction, based on the version that the person read. Nothing is scheduled
 * or sent. The next interaction replaces the date. If the record already has this date, nothing changes. Errors: `not_found`, `version_conflict`,
 * `business_not_active`, `invalid_request` for a past date.
 */
export async function setFollowUp(
  tx: Tx,
  businessId: string,
  expectedVersion: number,
  { followUpOn, acceptPastFollowUp }: SetFollowUp,
): Promise<{ id: string } | Unchanged<{ id: string }>> {
  const business = await getActiveBusiness(tx, businessId)
  requireVersion(expectedVersion, business.version)
  if (business.followUpOn === followUpOn) return unchanged({ id: businessId })
  if (followUpOn !== null && acceptPastFollowUp !== true) await requireTodayOrLater(tx, followUpOn)
  await insertFollowUpChange(tx.db, {
    tenant_id: tx.actor.tenantId,
    business_id: businessId,
    id: newId(),
    follow_up_on: followUpOn,
    changed_at: tx.at,
    changed_by: actorKey(tx.actor),
  })
  await refreshLastContact(tx, businessId)
  await raiseVersion(tx, business)
  await tx.record({
    subject: { type: 'business', id: businessId },
    businessId,
    before: { followUpOn: business.followUpOn },
    after: { followUpOn },
  })
  return { id: businessId }
}
