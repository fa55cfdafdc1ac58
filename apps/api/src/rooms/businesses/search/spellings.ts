import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { alongIndex } from '../../../store/engine/dialect.ts'
import { columnOf, indexOf, type TextFilter, textFilters } from '../record/facts.ts'

/** Maximum number of spellings of a column that are compared. With more, each record is compared instead. */
const MAX_SPELLINGS = 2_000

/** A column of texts `t` with the index on their lower case. `condition`: the rows that the index contains. */
export type TextPlace = { table: string; condition: RawBuilder<unknown>; column: string; index: string }

/** Returns the column of a text of the active records. */
export function textPlaceOf(field: TextFilter): TextPlace {
  const column = columnOf(textFilters[field])
  return { table: 'businesses', condition: sql`t.status = 'active'`, column, index: indexOf(column) }
}

/**
 * Returns all texts of a column in lower case, in their order, by stepping through its index: one search per text. Undefined if there are more than
 * are compared.
 */
export async function allSpellings(
  db: Kysely<Database>,
  tenantId: string,
  { table, condition, column, index }: TextPlace,
): Promise<string[] | undefined> {
  const text = sql`lower(${sql.ref(`t.${column}`)})`
  const spelling = sql.ref('found.spelling')
  const next = (after: RawBuilder<unknown>) => sql`(
    SELECT ${text} FROM ${sql.table(table)} AS t ${alongIndex(index)}
    WHERE t.tenant_id = ${tenantId} AND ${condition} AND ${sql.ref(`t.${column}`)} IS NOT NULL AND ${text} > ${after}
    ORDER BY ${text} LIMIT 1)`
  const { rows } = await sql<{ spelling: string }>`
    WITH RECURSIVE found (spelling, place) AS (
      SELECT ${next(sql`''`)}, 1
      UNION ALL SELECT ${next(spelling)}, place + 1 FROM found WHERE ${spelling} IS NOT NULL AND place <= ${sql.lit(MAX_SPELLINGS)})
    SELECT spelling FROM found WHERE spelling IS NOT NULL`.execute(db)
  return rows.length > MAX_SPELLINGS ? undefined : rows.map((row) => row.spelling)
}
