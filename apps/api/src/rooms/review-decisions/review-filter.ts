import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { inList } from '../../store/engine/dialect.ts'
import type { ReviewFilter, ReviewState, ReviewSummary } from './review-summary.schema.ts'

/* Review states of records in lists. A record without a row in `review_states` is unreviewed. */

export const unreviewed: ReviewSummary = { state: 'unreviewed', isDue: true, decidedAt: null, dueFrom: null }

/**
 * Builds the condition of a review filter on `businesses AS b`. `isSet`: for a statement that checks every record, so the condition reads the
 * reviewed records of the tenant once instead of a row for each record.
 */
export function reviewCondition(
  review: ReviewFilter,
  { tenantId, isSet }: { tenantId: string; isSet: boolean },
): RawBuilder<unknown> {
  const rowOf = (condition: RawBuilder<unknown>) =>
    isSet
      ? sql`b.id IN (SELECT r.business_id FROM review_states r WHERE r.tenant_id = ${tenantId} AND ${condition})`
      : sql`EXISTS (SELECT 1 FROM review_states r WHERE r.tenant_id = b.tenant_id AND r.business_id = b.id AND ${condition})`
  switch (review) {
    case 'due':
      return sql`NOT ${rowOf(sql`r.is_due = 0`)}`
    case 'unreviewed':
      return sql`NOT ${rowOf(sql`r.state <> 'unreviewed'`)}`
    default:
      return rowOf(sql`r.state = ${review}`)
  }
}

/** Returns true if the filter selects one state that few records have, so that a list can start from them. */
export function isReviewedState(
  review: ReviewFilter | undefined,
): review is Exclude<ReviewFilter, 'due' | 'unreviewed'> {
  return review !== undefined && review !== 'due' && review !== 'unreviewed'
}

export type ReviewCount = { tenantId: string; doNotContact?: boolean }

/**
 * Returns the exact number of active records in this review state, from counts that triggers maintain. For `due` and `unreviewed` it returns the
 * number of all other records.
 */
export async function countInReview(
  db: Db,
  review: ReviewFilter,
  { tenantId, doNotContact }: ReviewCount,
): Promise<number> {
  const row = await db
    .selectFrom('review_counts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('tenant_id', '=', tenantId)
    .$if(review === 'due', (query) => query.where('is_due', '=', 0))
    .$if(review === 'unreviewed', (query) => query.where('state', '<>', 'unreviewed'))
    .$if(isReviewedState(review), (query) => query.where('state', '=', review as ReviewState))
    .$if(doNotContact !== undefined, (query) => query.where('do_not_contact', '=', doNotContact ? 1 : 0))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Returns the review states of these records; a record without one is unreviewed. */
export async function findReviewSummaries(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, ReviewSummary>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('review_states')
    .select(['business_id', 'state', 'is_due', 'decided_at', 'due_from'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(ids))
    .execute()
  return new Map(
    rows.map((row) => [
      row.business_id,
      { state: row.state, isDue: row.is_due === 1, decidedAt: row.decided_at, dueFrom: row.due_from },
    ]),
  )
}
