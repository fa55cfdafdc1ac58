import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { inList } from '../../../store/engine/dialect.ts'

/** Conditions on the active scores of a record. Eligibility and bands are the codes that scores store. */
export type ScoreFilter = {
  tenant: number
  generation: number
  eligibility?: number
  priority?: number
  reachable?: number
  /** range of the lowest score */
  from?: number
  to?: number
}

/** Builds the condition of a score filter on `businesses AS b`. */
export function scoreCondition(score: ScoreFilter): RawBuilder<unknown> {
  const { tenant, generation } = score
  return sql`EXISTS (SELECT 1 FROM scores AS f WHERE f.tenant = ${tenant} AND f.generation = ${generation} AND f.business_id = b.id
    AND ${sql.join(scoreParts(score, 'f', sql`f.low`), sql` AND `)})`
}

/** Values of a code that a score may have. */
export type ScoreCodes = {
  tenant: number
  generation: number
  column: 'priority' | 'reachable' | 'eligibility'
  codes: readonly number[]
}

/** Builds the condition that the score of `businesses AS b` has one of these codes. */
export function scoreCodeCondition({ tenant, generation, column, codes }: ScoreCodes): RawBuilder<unknown> {
  return sql`EXISTS (SELECT 1 FROM scores AS f WHERE f.tenant = ${tenant} AND f.generation = ${generation} AND f.business_id = b.id
    AND ${sql.ref(`f.${column}`)} IN ${inList(codes)})`
}

/** Builds the conditions of the filter on a table that has these columns; `low` is the column of the lowest score. */
export function scoreParts(
  { eligibility, priority, reachable, from, to }: ScoreFilter,
  table: string,
  low: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const parts = [sql`1 = 1`]
  if (eligibility !== undefined) parts.push(sql`${column('eligibility')} = ${eligibility}`)
  if (priority !== undefined) parts.push(sql`${column('priority')} = ${priority}`)
  if (reachable !== undefined) parts.push(sql`${column('reachable')} = ${reachable}`)
  if (from !== undefined) parts.push(sql`${low} >= ${from}`)
  if (to !== undefined) parts.push(sql`${low} BETWEEN 0 AND ${to}`)
  return parts
}

/** Returns the exact number of records with such a score, from the counts stored with the scores. */
export async function countScored(db: Kysely<Database>, score: ScoreFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT coalesce(sum(c.count), 0) AS n FROM score_counts AS c
    WHERE c.tenant = ${score.tenant} AND c.generation = ${score.generation} AND ${sql.join(scoreParts(score, 'c', sql`c.low`), sql` AND `)}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Returns the number of matching records by eligibility. */
export async function countByEligibility(
  db: Kysely<Database>,
  score: ScoreFilter,
): Promise<{ eligibility: number; n: number }[]> {
  const { rows } = await sql<{ eligibility: number; n: number }>`
    SELECT c.eligibility, sum(c.count) AS n FROM score_counts AS c
    WHERE c.tenant = ${score.tenant} AND c.generation = ${score.generation} AND ${sql.join(scoreParts(score, 'c', sql`c.low`), sql` AND `)}
    GROUP BY c.eligibility HAVING sum(c.count) > 0`.execute(db)
  return rows
}
