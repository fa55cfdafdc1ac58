/** Texts about reviews of a prospect. */
import type { Review, ReviewSummary } from '@prospect/api-client'

export type ReviewFilter = 'due' | ReviewSummary['state']

export const reviewFilters: readonly ReviewFilter[] = [
  'due',
  'unreviewed',
  'verified',
  'rejected',
  'outdated',
  'deferred',
]

export const reviewStateWords: Readonly<Record<ReviewFilter, string>> = {
  due: 'Due',
  unreviewed: 'Unreviewed',
  verified: 'Verified',
  rejected: 'Rejected',
  outdated: 'Outdated',
  deferred: 'Deferred',
}

export const reasonCodeWords: Readonly<Record<NonNullable<Review['reasonCode']>, string>> = {
  not_a_business: 'Not a business',
  duplicate: 'Duplicate',
  out_of_scope: 'Out of scope',
  closed: 'Closed',
  cannot_verify: 'Cannot be verified',
  other: 'Other',
}
