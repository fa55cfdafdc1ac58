import { z } from 'zod'
import { type Actor, actorRef } from '../../../lib/actor.ts'
import type { Tx } from '../../../store/change/change.ts'
import { jsonColumn } from '../../../store/json-column.ts'
import {
  businessChild,
  factFields,
  getBusiness,
  hidesWrittenFor,
  reasonForReader,
} from '../../businesses/businesses.ts'
import { getReviewRow, type ReviewRow, selectReviews } from './reviews.queries.ts'
import type { Review } from './reviews.schema.ts'

/**
 * Reviews as children of a business: those of the business and of the records merged into it, newest first. Reasons that the reader may not see are
 * hidden.
 */
export const reviewsOfBusiness = businessChild<ReviewRow, Review>({
  name: 'reviews',
  table: 'reviews',
  select: (db, { before: [before] = [], ...wanted }) => selectReviews(db, { ...wanted, before }),
  businessOf: (row) => row.business_id,
  toItem: toReview,
  empty: (db, tenantId, ids) =>
    db.updateTable('reviews').set({ reason: null }).where('tenant_id', '=', tenantId).where('id', 'in', ids),
})

/** Returns one review as this reader may see it. Errors: `not_found`. */
export async function getReview(db: Tx['db'], reader: Actor, id: string): Promise<Review> {
  const row = await getReviewRow(db, reader.tenantId, id)
  const business = await getBusiness(db, reader.tenantId, row.business_id)
  const isHidden = await hidesWrittenFor(db, reader, business, [row.business_id])
  return toReview(row, { isHidden: isHidden(row.business_id) })
}

const readFields = jsonColumn(z.array(z.enum(factFields)))

function toReview(row: ReviewRow, { isHidden }: { isHidden: boolean }): Review {
  return {
    id: row.id,
    businessId: row.business_id,
    decision: row.decision,
    reasonCode: row.reason_code,
    reason: reasonForReader(row.reason, { isHidden }),
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
