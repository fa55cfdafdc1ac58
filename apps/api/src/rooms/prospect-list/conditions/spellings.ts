import { type RawBuilder, sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import { objectOf } from '../../../lib/map-values.ts'
import { unique } from '../../../lib/unique.ts'
import type { Db } from '../../../store/database.ts'
import { alongIndex, elementsOf, jsonList, thenJoin } from '../../../store/engine/dialect.ts'
import {
  allSpellings,
  type TextFilter,
  type TextPlace,
  textFilterNames,
  textPlaceOf,
} from '../../businesses/businesses.ts'
import { cityKeysOf, searchFold, searchForms } from '../../normalization/normalization.ts'
import { childPlaces } from './child-texts.ts'
import { isChildText } from './conditions.schema.ts'
import type { FurtherCondition } from './further-conditions.ts'

/*
 * Cities, industries, labels of sources and roles of people in their different spellings. A tenant has few of them, so a condition is compared with the spellings, and
 * the records are then searched for those that match.
 */

type TextCondition = Extract<FurtherCondition, { on: 'text' }>
type Column = TextCondition['column']
export type AskedText = Pick<TextCondition, 'column' | 'isWhole' | 'values'>
/** A set of records that contains all that meet a condition. */
type Found = { size: number; source: { from: RawBuilder<unknown>; where: RawBuilder<unknown>[] } }

const places: Readonly<Record<Column, TextPlace>> = {
  ...objectOf<Record<TextFilter, TextPlace>>(textFilterNames, textPlaceOf),
  ...childPlaces,
}

/**
 * Returns the records that meet a condition on whole texts of children, with their number up to one more than `bound`; undefined for other
 * conditions.
 */
export async function findByChildText(
  db: Db,
  tenantId: string,
  condition: FurtherCondition,
  bound: number,
): Promise<Found | undefined> {
  if (condition.on !== 'text' || !isChildText(condition.column)) return undefined
  if (condition.isNot || !condition.isWhole) return undefined
  return findByTexts(db, tenantId, childPlaces[condition.column], unique(condition.values.map(asStored)), bound)
}

/**
 * Returns the lower-case spellings in the tenant's records that meet a condition, in any spelling of its values (`searchFold`); towns by any of their
 * names. Undefined if the tenant has too many spellings to compare.
 */
export async function findSpellings(
  db: Db,
  tenantId: string,
  { column, isWhole, values }: AskedText,
): Promise<string[] | undefined> {
  const spellings = await allSpellings(db, tenantId, places[column])
  if (spellings === undefined) return undefined
  const isWanted = isWhole ? equalsAny(column, values) : containsAny(column, values)
  const found: string[] = []
  const breathe = createBreather()
  for (const spelling of spellings) {
    await breathe()
    if (isWanted(spelling)) found.push(spelling)
  }
  return found
}

/** Returns the keys by which whole texts of a column are equal. A text without a folded form is compared as typed. */
function keysOf(column: Column, text: string): readonly string[] {
  const keys = column === 'city' ? cityKeysOf(text) : [searchFold(text).replaceAll(' ', '')]
  return keys.some((key) => key !== '') ? keys : [text.toLowerCase().trim()]
}

function equalsAny(column: Column, values: readonly string[]): (spelling: string) => boolean {
  const wanted = new Set(values.flatMap((value) => keysOf(column, value)))
  return (spelling) => keysOf(column, spelling).some((key) => wanted.has(key))
}

function containsAny(column: Column, values: readonly string[]): (spelling: string) => boolean {
  const isTown = column === 'city' ? equalsAny(column, values) : () => false
  const formsOf = (text: string) => [text.toLowerCase(), ...searchForms(text)]
  const parts = values.flatMap(formsOf)
  return (spelling) => {
    const forms = formsOf(spelling)
    return parts.some((part) => forms.some((form) => form.includes(part))) || isTown(spelling)
  }
}

/** Finds the records with children that have one of these texts, and the records that they were merged into. */
async function findByTexts(
  db: Db,
  tenantId: string,
  { table, condition, column, index }: TextPlace,
  texts: readonly string[],
  bound: number,
): Promise<Found> {
  const { rows } = await sql<{ size: number; ids: string }>`
    WITH RECURSIVE found (id) AS (
      SELECT business_id FROM (
        SELECT DISTINCT t.business_id FROM ${elementsOf(texts, 'wanted')}
          ${thenJoin} ${sql.table(table)} AS t ${alongIndex(index)}
          ON t.tenant_id = ${tenantId} AND ${condition} AND lower(${sql.ref(`t.${column}`)}) = wanted.value
        LIMIT ${bound + 1}) AS asked
      UNION
      SELECT m.merged_into FROM found ${thenJoin} businesses AS m ON m.tenant_id = ${tenantId} AND m.id = found.id
      WHERE m.merged_into IS NOT NULL)
    SELECT count(*) AS size, ${jsonList(sql.ref('id'))} AS ids FROM found`.execute(db)
  const { size, ids } = rows[0] ?? { size: 0, ids: '[]' }
  const from = sql`${elementsOf(sql.val(ids), 'wanted')} ${thenJoin} businesses AS b
    ON b.tenant_id = ${tenantId} AND b.id = wanted.value`
  return { size, source: { from, where: [] } }
}

/** Returns a text in the lower case of the index, which knows ASCII letters only. */
function asStored(value: string): string {
  return value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
