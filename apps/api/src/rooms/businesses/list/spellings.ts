import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { alongIndex, contains, elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { FurtherCondition } from './further-conditions.ts'

/*
 * Cities and industries in their different spellings. A tenant has few of them, so a condition with several values, or with a part of a text, is first
 * compared with the spellings, and an index then contains the records of those that match.
 */

/** Maximum number of spellings of a column that are compared. With more, each record is compared instead. */
const MAX_SPELLINGS = 2_000

type TextCondition = Extract<FurtherCondition, { on: 'text' }>
type Asked = Pick<TextCondition, 'isWhole' | 'values'> & { column: 'city' | 'industry' }

const indexes = { city: 'businesses_by_city', industry: 'businesses_by_industry' } as const

/** Returns the condition if the spellings of its column serve it. */
export function askedSpellings(condition: FurtherCondition): Asked | undefined {
  if (condition.on !== 'text' || condition.isNot || condition.column === 'sourceLabel') return undefined
  return { ...condition, column: condition.column }
}

/** Returns the lower-case spellings that meet a condition; undefined if there are too many to compare. */
export async function findSpellings(
  db: Kysely<Database>,
  tenantId: string,
  { column, isWhole, values }: Asked,
): Promise<string[] | undefined> {
  if (isWhole) return [...new Set(values.map(asStored))]
  const text = sql`lower(${sql.ref(`b.${column}`)})`
  const spelling = sql.ref('found.spelling')
  const next = (after: RawBuilder<unknown>) => sql`(
    SELECT ${text} FROM businesses AS b ${alongIndex(indexes[column])}
    WHERE b.tenant_id = ${tenantId} AND b.status = 'active' AND ${sql.ref(`b.${column}`)} IS NOT NULL AND ${text} > ${after}
    ORDER BY ${text} LIMIT 1)`
  const isWanted = sql.join(
    values.map((value) => contains(spelling, sql`lower(${value})`)),
    sql` OR `,
  )
  const { rows } = await sql<{ spelling: string; isWanted: number }>`
    WITH RECURSIVE found (spelling) AS (
      SELECT ${next(sql`''`)} UNION ALL SELECT ${next(spelling)} FROM found WHERE ${spelling} IS NOT NULL
      LIMIT ${sql.lit(MAX_SPELLINGS + 1)})
    SELECT spelling, ${isWanted} AS "isWanted" FROM found WHERE spelling IS NOT NULL`.execute(db)
  if (rows.length > MAX_SPELLINGS) return undefined
  return rows.filter((row) => row.isWanted === 1).map((row) => row.spelling)
}

/** Returns a source of the records with one of these spellings. */
export function withSpelling(column: Asked['column'], spellings: readonly string[]) {
  const stored = sql.ref(`b.${column}`)
  return {
    from: sql`${elementsOf(spellings, 'wanted')} ${thenJoin} businesses AS b ${alongIndex(indexes[column])}`,
    where: [sql`${stored} IS NOT NULL`, sql`lower(${stored}) = wanted.value`],
  }
}

/** Returns a text in the lower case of the index, which knows ASCII letters only. */
function asStored(value: string): string {
  return value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
