import { actorKey } from '../../lib/actor.ts'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { beginFollowing } from '../../store/change/follow-audit.queries.ts'
import { type Business, getActiveBusiness } from '../businesses/businesses.ts'
import { contradictedFields } from '../evidence/evidence.ts'
import { getTenant } from '../identity/identity.ts'
import type { Decision, ReasonCode, ReviewStateTable } from './review-decisions.table.ts'
import { changesSince, fingerprintOf, isSameSight } from './review-fingerprint.ts'
import { daysAhead, type StateColumns, stateAfter } from './review-state.rules.ts'
import { deleteClaim, findSettings, findState, followerName, insertReview, saveState } from './reviews.queries.ts'
import { type AddReview, limits } from './reviews.schema.ts'

/*
 * Review decisions about prospects (specification, Phase 11 §2). A review changes no evidence, pipeline state, score or block. It states that a
 * person examined the record in the version that they saw.
 */

/**
 * Reviews an active record in the version that the person opened. Returns only the id, because the result is stored with its idempotency key and the
 * reason may name a person. Errors: `not_found`, `business_not_active`, `review_outdated` with the changes, `suppressed` (verifying a do not contact
 * record), `fact_contradicted`, `invalid_request` (the day of a deferral).
 */
export async function decideReview(tx: Tx, businessId: string, input: AddReview): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const business = await getActiveBusiness(tx, businessId)
  const seen = await fingerprintOf(tx.db, tenantId, business)
  if (!isSameSight(input.fingerprint, seen.text)) throw await outdated(tx, businessId, input.fingerprint)
  if (input.decision === 'verify') await requireVerifiable(tx, business, input.checkedFields)
  if (input.decision === 'defer') await requireNearDay(tx, input.until)
  const written = await writeReview(tx, business, {
    decision: input.decision,
    reasonCode: input.decision === 'reject' ? input.reasonCode : null,
    reason: input.reason,
    checkedFields: input.decision === 'verify' ? input.checkedFields : [],
    until: input.decision === 'defer' ? input.until : null,
    bulkId: null,
    undoes: null,
    seen,
  })
  await deleteClaim(tx.db, tenantId, businessId)
  return { id: written.reviewId }
}

async function outdated(tx: Tx, businessId: string, opened: string): Promise<AppError> {
  return new AppError(
    'review_outdated',
    'This record changed after you opened it. Check the record again, then decide.',
    {
      errors: await changesSince(tx.db, tx.actor.tenantId, businessId, opened),
    },
  )
}

async function requireVerifiable(tx: Tx, business: Business, checkedFields: readonly string[]): Promise<void> {
  if (business.doNotContact !== null)
    throw new AppError(
      'suppressed',
      'This prospect is marked do not contact. You can reject or defer the prospect, but not verify it.',
    )
  if (checkedFields.length === 0) return
  const contradicted = new Set<string>(await contradictedFields(tx.db, tx.actor.tenantId, business))
  const wrong = checkedFields.filter((field) => contradicted.has(field))
  if (wrong.length === 0) return
  throw new AppError('fact_contradicted', 'Evidence contradicts a fact that you marked as checked.', {
    errors: wrong.map((field) => ({
      path: 'checkedFields',
      code: 'fact_contradicted',
      message: `Evidence contradicts ${field}. Correct the fact or replace the evidence.`,
    })),
  })
}

async function requireNearDay(tx: Tx, until: string): Promise<void> {
  const { timeZone } = await getTenant(tx.db, tx.actor.tenantId)
  const days = daysAhead(until, tx.at, timeZone)
  if (days >= 1 && days <= limits.deferralDays) return
  throw invalidField('until', 'out_of_range', `Choose a day from tomorrow to ${limits.deferralDays} days ahead.`)
}

export type ReviewToWrite = {
  decision: Decision
  reasonCode: ReasonCode | null
  reason: string | null
  checkedFields: readonly string[]
  until: string | null
  bulkId: string | null
  undoes: string | null
  seen: { text: string; factsHash: string }
  /** review state before the undone decision; set only by an undo, otherwise derived from the decision */
  newState?: StateColumns & { facts_hash: string; decided_at: string }
}

export type WrittenReview = {
  reviewId: string
  before: ReviewStateTable | undefined
  after: ReviewStateTable
  eventId: string
}

/** Appends a review, updates the review state and records the event. The caller must have made every check. */
export async function writeReview(tx: Tx, business: Business, review: ReviewToWrite): Promise<WrittenReview> {
  const { tenantId } = tx.actor
  const { decision, reasonCode, reason, checkedFields, until, bulkId, undoes, seen } = review
  const reviewId = newId()
  const before = await findState(tx.db, { tenantId, businessId: business.id })
  await insertReview(tx.db, {
    tenant_id: tenantId,
    id: reviewId,
    business_id: business.id,
    decision,
    reason_code: reasonCode,
    reason,
    checked_fields: JSON.stringify(checkedFields),
    until,
    method: bulkId === null ? 'single' : 'bulk',
    bulk_id: bulkId,
    undoes,
    fingerprint: seen.text,
    business_version: business.version,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
  })
  const newState = review.newState ?? {
    ...(await stateAfterDecision(tx, decision, until)),
    facts_hash: seen.factsHash,
    decided_at: tx.at,
  }
  const after: ReviewStateTable = {
    tenant_id: tenantId,
    business_id: business.id,
    ...newState,
    review_id: reviewId,
    is_active: business.status === 'active' ? 1 : 0,
    do_not_contact: business.doNotContact === null ? 0 : 1,
  }
  await saveState(tx.db, after)
  if (before === undefined) await beginFollowing(tx.db, { tenantId, follower: followerName })
  const eventId = await tx.record({
    action: 'review.decide',
    subject: { type: 'review', id: reviewId },
    businessId: business.id,
    before: { state: before?.state ?? 'unreviewed' },
    after: {
      decision,
      state: newState.state,
      reasonCode,
      checkedFields,
      until,
      reasonCharacters: reason?.length ?? 0,
      ...(bulkId === null ? {} : { bulkId }),
      ...(undoes === null ? {} : { undoes }),
    },
  })
  return { reviewId, before, after, eventId }
}

async function stateAfterDecision(tx: Tx, decision: Decision, until: string | null): Promise<StateColumns> {
  const { tenantId } = tx.actor
  // Only a deferral needs the tenant's time zone, for its day.
  const timeZone = decision === 'defer' ? (await getTenant(tx.db, tenantId)).timeZone : 'UTC'
  const settings = await findSettings(tx.db, { tenantId })
  return stateAfter(decision, { at: tx.at, until, timeZone, termDays: settings?.term_days ?? null })
}
