import { type Expression, type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Counts the rows of a query. Stops counting at one row more than the limit. */
export async function countUpTo(db: Kysely<Database>, rows: Expression<unknown>, limit: number): Promise<number> {
  const { rows: found } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM ${rows} AS listed LIMIT ${limit + 1}) AS counted`.execute(db)
  return found[0]?.n ?? 0
}

/** Number of counted rows. `isWhole` is false if the count ended before the last row, so that more rows may match. */
export type Count = { count: number; isWhole: boolean }

/**
 * Counts those rows of a query in which the column `is_wanted` is true. Use it if no index has all conditions of a list: `rows` then has the conditions of
 * an index, and `is_wanted` the others. Stops at one row more than `limit`, and after `maxWalked` rows in any case.
 */
export async function countWanted(
  db: Kysely<Database>,
  rows: Expression<unknown>,
  { limit, maxWalked }: { limit: number; maxWalked: number },
): Promise<Count> {
  const { rows: found } = await sql<{ count: number; has_more: number }>`
    WITH found AS MATERIALIZED (
      SELECT count(*) AS count FROM (
        SELECT 1 FROM (SELECT is_wanted FROM ${rows} AS listed LIMIT ${maxWalked}) AS counted_rows
        WHERE is_wanted LIMIT ${limit + 1}) AS counted)
    SELECT count, count <= ${limit} AND EXISTS (SELECT 1 FROM ${rows} AS listed LIMIT 1 OFFSET ${maxWalked}) AS has_more
    FROM found`.execute(db)
  const { count = 0, has_more = 0 } = found[0] ?? {}
  return { count, isWhole: has_more === 0 }
}
