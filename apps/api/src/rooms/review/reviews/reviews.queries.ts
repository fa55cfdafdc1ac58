import { sql } from 'kysely'
import { notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert, preparedRow } from '../../../store/engine/prepared.ts'
import type { ReviewClaimTable, ReviewSettingsTable, ReviewTable } from '../review.table.ts'

/** Name of the follower of this room. */
export const followerName = 'review'

export type ReviewRow = ReviewTable & { actor_name: string | null }

function reviewsWithPeople(db: Db) {
  return db
    .selectFrom('reviews as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .selectAll('r')
    .select('u.name as actor_name')
}

/** Returns reviews of exactly this record, newest first. */
export function selectReviews(
  db: Db,
  wanted: { tenantId: string; businessId: string; before: string | undefined; limit: number },
): Promise<ReviewRow[]> {
  const { tenantId, businessId, before, limit } = wanted
  return reviewsWithPeople(db)
    .where('r.tenant_id', '=', tenantId)
    .where('r.business_id', '=', businessId)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns one review. Errors: `not_found`. */
export function getReviewRow(db: Db, tenantId: string, id: string): Promise<ReviewRow> {
  return reviewsWithPeople(db)
    .where('r.tenant_id', '=', tenantId)
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/**
 * Inserts a review. It is a prepared statement, like all statements that a bulk action runs for each record, because building a query with Kysely
 * takes longer than running it.
 */
export const insertReview = preparedInsert('reviews', [
  'tenant_id',
  'id',
  'business_id',
  'decision',
  'reason_code',
  'reason',
  'checked_fields',
  'until',
  'method',
  'bulk_id',
  'undoes',
  'fingerprint',
  'business_version',
  'created_at',
  'created_by',
])

export const findState = preparedRow<{ tenantId: string; businessId: string }>()((db, param) =>
  db
    .selectFrom('review_states')
    .selectAll()
    .where('tenant_id', '=', param('tenantId'))
    .where('business_id', '=', param('businessId')),
)

const stateColumns = [
  'state',
  'is_due',
  'due_from',
  'review_id',
  'facts_hash',
  'decided_at',
  'is_active',
  'do_not_contact',
] as const

export const saveState = preparedInsert('review_states', ['tenant_id', 'business_id', ...stateColumns], {
  key: ['tenant_id', 'business_id'],
  update: stateColumns,
})

const evidenceOf = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<{ newest: string | null; count: number }>`
    SELECT max(e.id) AS newest, count(*) AS count FROM evidence e
    WHERE e.tenant_id = ${param('tenantId')} AND e.business_id IN ${inList(param('ids'))}`,
)

/** Returns the number and the newest id of the records' evidence. */
export async function evidenceStanding(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<{ newest: string | null; count: number }> {
  const [row] = await evidenceOf(db, { tenantId, ids: JSON.stringify(ids) })
  return row ?? { newest: null, count: 0 }
}

export type ClaimRow = ReviewClaimTable & { user_name: string | null }

/** Returns the unexpired claim of a record. */
export function findClaim(db: Db, tenantId: string, businessId: string, now: string): Promise<ClaimRow | undefined> {
  return db
    .selectFrom('review_claims as c')
    .leftJoin('users as u', 'u.id', 'c.user_id')
    .selectAll('c')
    .select('u.name as user_name')
    .where('c.tenant_id', '=', tenantId)
    .where('c.business_id', '=', businessId)
    .where('c.until', '>', now)
    .executeTakeFirst()
}

/** Returns the ids of those records that other people have claimed. */
export async function claimedByOthers(
  db: Db,
  wanted: { tenantId: string; userId: string; ids: readonly string[]; now: string },
): Promise<Set<string>> {
  const { tenantId, userId, ids, now } = wanted
  const rows = await db
    .selectFrom('review_claims')
    .select('business_id')
    .where('tenant_id', '=', tenantId)
    .where('business_id', 'in', inList(ids))
    .where('user_id', '<>', userId)
    .where('until', '>', now)
    .execute()
  return new Set(rows.map(({ business_id }) => business_id))
}

export async function saveClaim(db: Db, row: ReviewClaimTable): Promise<void> {
  await db
    .insertInto('review_claims')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'business_id']).doUpdateSet({ user_id: row.user_id, until: row.until }),
    )
    .execute()
}

export async function deleteClaim(db: Db, tenantId: string, businessId: string): Promise<void> {
  await db.deleteFrom('review_claims').where('tenant_id', '=', tenantId).where('business_id', '=', businessId).execute()
}

export const findSettings = preparedRow<{ tenantId: string }>()((db, param) =>
  db.selectFrom('review_settings').selectAll().where('tenant_id', '=', param('tenantId')),
)

export async function saveSettings(db: Db, row: ReviewSettingsTable): Promise<void> {
  const { tenant_id: _tenant, ...columns } = row
  await db
    .insertInto('review_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
    .execute()
}
