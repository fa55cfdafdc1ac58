import { z } from 'zod'
import { type Actor, actorRef } from '../../lib/actor.ts'
import type { Tx } from '../../store/change/change.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { businessChild, factFields } from '../businesses/businesses.ts'
import { getReviewRow, type ReviewRow, selectReviews } from './reviews.queries.ts'
import type { Review } from './reviews.schema.ts'

/** Reviews as children of a business: those of the business and of the records merged into it, newest first. */
export const reviewsOfBusiness = businessChild<ReviewRow, Review>({
  name: 'reviews',
  table: 'reviews',
  select: (db, { before: [before] = [], ...wanted }) => selectReviews(db, { ...wanted, before }),
  businessOf: (row) => row.business_id,
  toItem: toReview,
})

/** Returns one review. Errors: `not_found`. */
export async function getReview(db: Tx['db'], reader: Actor, id: string): Promise<Review> {
  return toReview(await getReviewRow(db, reader.tenantId, id))
}

const readFields = jsonColumn(z.array(z.enum(factFields)))

function toReview(row: ReviewRow): Review {
  return {
    id: row.id,
    businessId: row.business_id,
    decision: row.decision,
    reasonCode: row.reason_code,
    reason: row.reason,
    checkedFields: readFields(row.checked_fields),
    until: row.until,
    method: row.method,
    bulkId: row.bulk_id,
    undoes: row.undoes,
    fingerprint: row.fingerprint,
    businessVersion: row.business_version,
    at: row.created_at,
    by: actorRef(row.created_by, row.actor_name),
  }
}
