import { type Kysely, type RawBuilder, sql } from 'kysely'
import { objectOf } from '../../../lib/map-values.ts'
import type { Database } from '../../../store/database.ts'
import { alongIndex, contains, inList } from '../../../store/engine/dialect.ts'
import {
  anyBlockedAbove,
  columnOf,
  indexOf,
  type TextFilter,
  textFilterNames,
  textFilters,
} from '../../businesses/businesses.ts'
import { childPlaces } from './child-texts.ts'
import { type ChildText, childTexts, isChildText, type TextCondition, type TextField } from './conditions.schema.ts'
import { findSpellings } from './spellings.ts'

type Place = { from: RawBuilder<unknown>; column: RawBuilder<unknown>; active: RawBuilder<unknown> }

const held: Readonly<Record<TextField, Place>> = {
  ...objectOf<Record<TextFilter, Place>>(textFilterNames, (field) => {
    const column = columnOf(textFilters[field])
    return {
      from: sql`businesses AS t ${alongIndex(indexOf(column))}`,
      column: sql.ref(`t.${column}`),
      active: sql`t.status = 'active'`,
    }
  }),
  ...objectOf<Record<ChildText, Place>>(childTexts, (field) => {
    const { table, index, column, condition } = childPlaces[field]
    return {
      from: sql`${sql.table(table)} AS t ${alongIndex(index)}`,
      column: sql.ref(`t.${column}`),
      active: condition,
    }
  }),
}

/**
 * Returns true if a condition names a text that no active record of the tenant contains any more, in any spelling. If the tenant has
 * too many spellings to compare, the index of the texts is scanned for the text as typed. `ofShown`: for a reader who may not see the sources and people
 * of do not contact records, so that a text of such records only counts as none.
 */
export async function namesTextOfNobody(
  db: Kysely<Database>,
  tenantId: string,
  { field, op, values }: TextCondition,
  { ofShown = false }: { ofShown?: boolean } = {},
): Promise<boolean> {
  const { from, column, active } = held[field]
  const isLimited = ofShown && isChildText(field)
  const shown = isLimited ? sql`NOT ${anyBlockedAbove(tenantId, sql`SELECT t.business_id`)}` : sql`1 = 1`
  for (const value of values) {
    const found = await findSpellings(db, tenantId, { column: field, isWhole: op !== 'contains', values: [value] })
    if (found?.length === 0) return true
    if (found !== undefined && !isLimited) continue
    const wanted =
      found !== undefined
        ? sql`lower(${column}) IN ${inList(found)}`
        : op === 'contains'
          ? contains(sql`lower(${column})`, sql`lower(${value})`)
          : sql`lower(${column}) = lower(${value})`
    const { rows } = await sql<{ found: number }>`
      SELECT 1 AS found FROM ${from}
      WHERE t.tenant_id = ${tenantId} AND ${active} AND ${column} IS NOT NULL AND ${wanted} AND ${shown} LIMIT 1`.execute(
      db,
    )
    if (rows.length === 0) return true
  }
  return false
}
