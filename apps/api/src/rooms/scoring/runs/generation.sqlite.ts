import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { prepared } from '../../../store/engine/prepared.ts'

/* Inserts rows of a generation in bulk from one JSON text. SQLite only (json_each). */

type Rows = { tenant: number; generation: number; rows: string }

const field = (at: number) => sql`value ->> ${sql.lit(at)}`

/**
 * SQL condition for a reviewed record that is not due for review, by the rows of the review room. Review decisions made during a run are recorded in
 * `score_changes` and applied after the run.
 */
const isReviewed = (tenant: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`EXISTS (
  SELECT 1 FROM tenants t CROSS JOIN review_states r ON r.tenant_id = t.id AND r.business_id = ${id} AND r.is_due = 0 WHERE t.number = ${tenant})`

/** Inserts scores. Each JSON row is [id, eligibility, low, high, priority, reachable, completeness, tie, holds_until]. */
const insertScores = prepared<Rows & { scoredAt: number }>()(
  (_db, param) => sql`
    INSERT INTO scores (tenant, generation, business_id, eligibility, low, high, priority, reachable, completeness, tie, holds_until, reviewed, scored_at)
    SELECT ${param('tenant')}, ${param('generation')}, ${field(0)}, ${field(1)}, ${field(2)}, ${field(3)}, ${field(4)}, ${field(5)}, ${field(6)}, ${field(7)}, ${field(8)},
      ${isReviewed(param('tenant'), field(0))}, ${param('scoredAt')}
    FROM json_each(${param('rows')})`,
)

/**
 * Inserts the list order. Each JSON row is [eligibility, rank, tie_rank, id, priority, reachable]. `reviewed` is copied from the score, so insert the
 * scores first.
 */
const insertOrder = prepared<Rows>()(
  (_db, param) => sql`
    INSERT INTO score_order (tenant, generation, reviewed, eligibility, rank, tie_rank, business_id, priority, reachable)
    SELECT ${param('tenant')}, ${param('generation')},
      (SELECT s.reviewed FROM scores s WHERE s.tenant = ${param('tenant')} AND s.generation = ${param('generation')} AND s.business_id = ${field(3)}),
      ${field(0)}, ${field(1)}, ${field(2)}, ${field(3)}, ${field(4)}, ${field(5)}
    FROM json_each(${param('rows')})`,
)

/** Inserts deadlines of scores. Each JSON row is [holds_until, id]. */
const insertDue = prepared<Rows>()(
  (_db, param) => sql`
    INSERT INTO score_due (tenant, generation, holds_until, business_id)
    SELECT ${param('tenant')}, ${param('generation')}, ${field(0)}, ${field(1)} FROM json_each(${param('rows')})`,
)

/** Inserts record counts. Each JSON row is [eligibility, priority, reachable, low, count]. */
const insertCounts = prepared<Rows>()(
  (_db, param) => sql`
    INSERT INTO score_counts (tenant, generation, eligibility, priority, reachable, low, count)
    SELECT ${param('tenant')}, ${param('generation')}, ${field(0)}, ${field(1)}, ${field(2)}, ${field(3)}, ${field(4)}
    FROM json_each(${param('rows')})`,
)

/** Inserts changes of results. Each JSON row is [id, from_eligibility, to_eligibility, from_priority, to_priority, from_low, to_low]. */
const insertScoreMoves = prepared<Rows>()(
  (_db, param) => sql`
    INSERT INTO score_moves (tenant, generation, business_id, from_eligibility, to_eligibility, from_priority, to_priority, from_low, to_low)
    SELECT ${param('tenant')}, ${param('generation')}, ${field(0)}, ${field(1)}, ${field(2)}, ${field(3)}, ${field(4)}, ${field(5)}, ${field(6)}
    FROM json_each(${param('rows')})`,
)

export const tables = {
  scores: insertScores,
  order: insertOrder,
  due: insertDue,
  counts: insertCounts,
  moves: insertScoreMoves,
}

/** Counts the generation's rows in `scores` and `score_order`, which have one row per record each. Runs in a worker thread. */
export async function countRows(
  db: Db,
  { tenant, generation }: Omit<Rows, 'rows'>,
): Promise<{ scores: number; order: number }> {
  const { rows } = await sql<{ scores: number; order: number }>`
    SELECT (SELECT count(*) FROM scores WHERE tenant = ${tenant} AND generation = ${generation}) AS scores,
           (SELECT count(*) FROM score_order WHERE tenant = ${tenant} AND generation = ${generation}) AS "order"`.execute(
    db,
  )
  return rows[0] ?? { scores: 0, order: 0 }
}

type Part = { tenant: number; generation: number; limit: number }

/** Deletes a limited number of the generation's rows from one table. Returns true if more rows may remain. */
export async function deleteSome(db: Db, { tenant, generation, limit }: Part): Promise<boolean> {
  const own = sql`tenant = ${tenant} AND generation = ${generation}`
  const deletions = [
    sql`DELETE FROM score_order WHERE (tenant, generation, reviewed, eligibility, rank, tie_rank, business_id) IN
      (SELECT tenant, generation, reviewed, eligibility, rank, tie_rank, business_id FROM score_order WHERE ${own} LIMIT ${limit})`,
    sql`DELETE FROM score_due WHERE (tenant, generation, holds_until, business_id) IN
      (SELECT tenant, generation, holds_until, business_id FROM score_due WHERE ${own} LIMIT ${limit})`,
    sql`DELETE FROM scores WHERE tenant = ${tenant} AND generation = ${generation} AND business_id IN
      (SELECT business_id FROM scores WHERE ${own} LIMIT ${limit})`,
    sql`DELETE FROM score_counts WHERE ${own}`,
  ]
  for (const deletion of deletions) {
    const { numAffectedRows = 0n } = await deletion.execute(db)
    if (Number(numAffectedRows) >= limit) return true
  }
  return false
}

/** Deletes a limited number of result changes of a generation that was never activated. No score history includes them. */
export async function deleteSomeMoves(db: Db, { tenant, generation, limit }: Part): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM score_moves WHERE tenant = ${tenant} AND generation = ${generation} AND business_id IN
      (SELECT business_id FROM score_moves WHERE tenant = ${tenant} AND generation = ${generation} LIMIT ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows) >= limit
}
