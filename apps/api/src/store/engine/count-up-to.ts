import { type Expression, type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Counts the rows of a query. Stops counting at one row more than the limit. */
export async function countUpTo(db: Kysely<Database>, rows: Expression<unknown>, limit: number): Promise<number> {
  const { rows: found } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM ${rows} AS listed LIMIT ${limit + 1}) AS counted`.execute(db)
  return found[0]?.n ?? 0
}
