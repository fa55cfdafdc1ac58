import type { UserActor } from '../../lib/actor.ts'
import { type Tx, type Unchanged, unchanged } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { type Business, getBusiness } from '../businesses/businesses.ts'
import { otherSpellings } from '../evidence/evidence.ts'
import { findReviewSummaries, unreviewed } from './review-filter.ts'
import { fingerprintOf } from './review-fingerprint.ts'
import { type ClaimRow, findClaim, saveClaim } from './reviews.queries.ts'
import { limits, type ReviewOpening } from './reviews.schema.ts'

const CLAIM_MS = limits.claimMinutes * 60_000

/**
 * Claims a record for its reviewer for some minutes. A claim shows others who has opened the record, and "next" skips the record for them; it
 * prevents no decision. Nothing changes if the record is inactive, if another person has claimed it, or if at least half of the time of the person's
 * own claim is left. Errors: `not_found`.
 */
export async function claimForReview(
  tx: Tx,
  actor: UserActor,
  businessId: string,
): Promise<string | Unchanged<string>> {
  const { tenantId, userId } = actor
  const business = await getBusiness(tx.db, tenantId, businessId)
  const claim = await findClaim(tx.db, tenantId, businessId, tx.at)
  if (business.status !== 'active' || !isToRenew(claim, userId, tx.at)) return unchanged(businessId)
  const until = new Date(Date.parse(tx.at) + CLAIM_MS).toISOString()
  await saveClaim(tx.db, { tenant_id: tenantId, business_id: businessId, user_id: userId, until })
  // The activity of the record does not show this event, because opening a record does not change it.
  await tx.record({ action: 'review.open', subject: { type: 'business', id: businessId }, after: { until } })
  return businessId
}

function isToRenew(claim: ClaimRow | undefined, userId: string, now: string): boolean {
  if (claim === undefined) return true
  return claim.user_id === userId && Date.parse(claim.until) - Date.parse(now) < CLAIM_MS / 2
}

/** Describes the current state of an opened record to its reviewer. `matches`: returns true if the record matches the reviewer's predicate. */
export async function describeOpening(
  store: Store,
  actor: UserActor,
  businessId: string,
  matches: ((business: Business) => Promise<boolean>) | undefined,
): Promise<ReviewOpening> {
  const { tenantId, userId } = actor
  const db = store.reader
  const business = await getBusiness(db, tenantId, businessId)
  const { text } = await fingerprintOf(db, tenantId, business)
  const summaries = await findReviewSummaries(db, tenantId, [businessId])
  const claim = await findClaim(db, tenantId, businessId, store.clock().toISOString())
  const spellings = await otherSpellings(db, tenantId, business)
  return {
    businessId,
    fingerprint: text,
    stillMatches: matches === undefined ? null : await matches(business),
    mergeEligible: business.status === 'active',
    doNotContact: business.doNotContact !== null || business.survivorDoNotContact === true,
    reviewState: summaries.get(businessId) ?? unreviewed,
    contradictedFields: spellings.filter(({ answer }) => answer === 'different').map(({ field }) => field),
    otherSpellings: spellings.map(({ field, value, claimed, answer, reason }) => ({
      field,
      value,
      claimed,
      agreement: answer,
      agreementReason: reason,
    })),
    claim:
      claim === undefined || business.status !== 'active'
        ? null
        : {
            by: { id: claim.user_id, name: claim.user_name ?? '' },
            until: claim.until,
            isOwn: claim.user_id === userId,
          },
  }
}
