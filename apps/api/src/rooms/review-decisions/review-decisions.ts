/**
 * Public module of review decisions: the review of one record with its state, dates and claims. Lists filter and order records by this state; the review
 * room has the queue and the bulk actions.
 */

export { type WrittenReview, writeReview } from './decide-review.ts'
export { claimForReview, describeOpening } from './open-review.ts'
export { type ReasonCode, type ReviewStateTable, reasonCodes } from './review-decisions.table.ts'
export { countInReview, findReviewSummaries, isReviewedState, reviewCondition, unreviewed } from './review-filter.ts'
export { fingerprintOf } from './review-fingerprint.ts'
export {
  type ReviewFilter,
  type ReviewState,
  type ReviewSummary,
  reviewFilterValues,
  reviewSummarySchema,
} from './review-summary.schema.ts'
export { claimedByOthers, findState, getReviewRow } from './reviews.queries.ts'
export { reviewOpeningSchema } from './reviews.schema.ts'
