import { type RawBuilder, sql } from 'kysely'
import { objectOf } from '../../../lib/map-values.ts'
import { alongIndex, contains, elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import {
  columnOf,
  findByPerson,
  hasBlockedBelow,
  MAX_FAMILY,
  peopleHoldAny,
  type SearchTerm,
  type TextFilter,
  type TextScope,
  textFilterNames,
  textFilters,
} from '../../businesses/businesses.ts'
import { type ReviewFilter, reviewCondition } from '../../review-decisions/review-decisions.ts'
import { type ScoreCodes, scoreCodeCondition } from '../../scoring/scoring.ts'
import { childPlaces } from './child-texts.ts'
import { type ChildText, type IdentifierField, isChildText, type TextField } from './conditions.schema.ts'

/*
 * Conditions of a filter with several values, exclusions or absent values. They are plain data, because cursors and cached counts are bound to their
 * content.
 */

const columns = {
  state: sql`b.pipeline_state`,
  assignee: sql`b.assignee_id`,
  province: sql`b.province_code`,
  doNotContact: sql`b.do_not_contact`,
  hasEvidence: sql`b.has_evidence`,
  hasPerson: sql`b.has_person`,
  lastOutcome: sql`b.last_outcome`,
  doubts: sql`b.doubts`,
} as const

/** Texts in lower case, as the index of all filterable values contains them. */
const texts = objectOf<Record<TextFilter, RawBuilder<unknown>>>(
  textFilterNames,
  (field) => sql`lower(${sql.ref(`b.${columnOf(textFilters[field])}`)})`,
)

/** Expressions of the index of all filterable values. Compare them with 0 or 1: SQLite reads an operand from an index, but not a whole condition. */
const isAbsent = {
  email: sql`b.primary_email IS NULL`,
  phone: sql`b.primary_phone IS NULL`,
  domain: sql`b.primary_domain IS NULL`,
  registrationNumber: sql`b.registration_number IS NULL`,
} as const

/**
 * Set if the reader may not see the sources and people of do not contact records. Children of such a record, and of those merged into it, then do not
 * match.
 */
type OfShown = { ofShown?: true | undefined }

export type FurtherCondition =
  | { on: 'nothing' }
  | { on: keyof typeof columns; isNot: boolean; values: readonly (string | number)[] }
  | ({
      on: 'empty'
      column: 'assignee' | 'province' | 'tag' | 'followUp' | 'lastInteraction' | 'lastOutcome' | TextField
      isNot: boolean
    } & OfShown)
  | ({ on: 'text'; column: TextField; isNot: boolean; isWhole: boolean; values: readonly string[] } & OfShown)
  | ({ on: 'person'; terms: readonly SearchTerm[]; scope: TextScope } & OfShown)
  | { on: 'identifiers'; isNot: boolean; kinds: readonly IdentifierField[] }
  | { on: 'tag'; isNot: boolean; keys: readonly string[] }
  | { on: 'review'; isNot: boolean; values: readonly ReviewFilter[] }
  | { on: 'lastInteraction'; isNot: boolean; from: string | null; to: string | null }
  | { on: 'evidenceCount'; from: number | null; to: number | null }
  | ({ on: 'score'; isNot: boolean } & ScoreCodes)

const NOTHING = sql`1 = 0`
const negated = (isNot: boolean, condition: RawBuilder<unknown>) =>
  isNot ? sql`NOT (${condition})` : sql`(${condition})`

/**
 * The way in which conditions are checked. `row`: for some rows, so a condition on another table searches it for each row. `scan`: for every listed
 * record, by the index of all filterable values, so a condition on another table brings the set of its records, and the other conditions read only
 * columns and expressions of that index.
 */
export type Checking = 'row' | 'scan'

type Context = { tenantId: string; how: Checking }

/** Builds a condition on `businesses AS b`. */
export function furtherCondition(one: FurtherCondition, context: Context): RawBuilder<unknown> {
  switch (one.on) {
    case 'nothing':
      return NOTHING
    case 'empty':
      return negated(one.isNot, emptyCondition(one, context))
    case 'text':
      return negated(one.isNot, textCondition(one, context))
    case 'person':
      return personCondition(one, context)
    case 'identifiers':
      return negated(
        one.isNot,
        sql.join(
          one.kinds.map((kind) => sql`(${isAbsent[kind]}) = 0`),
          sql` OR `,
        ),
      )
    case 'tag':
      return negated(one.isNot, tagCondition(context, one.keys))
    case 'review':
      return negated(
        one.isNot,
        sql.join(
          one.values.map((value) => reviewCondition(value, { ...context, isSet: context.how === 'scan' })),
          sql` OR `,
        ),
      )
    case 'lastInteraction':
      return one.isNot
        ? sql`(b.last_interaction_at IS NULL OR NOT ${rangeCondition(sql`b.last_interaction_at`, one)})`
        : sql`(b.last_interaction_at IS NOT NULL AND ${rangeCondition(sql`b.last_interaction_at`, one)})`
    case 'evidenceCount':
      return rangeCondition(sql`b.evidence_count`, one)
    case 'score':
      return negated(one.isNot, scoreCodeCondition(one))
    default:
      // A record without a value matches an exclusion, because it has none of the excluded values.
      return one.isNot
        ? sql`(${columns[one.on]} IS NULL OR ${columns[one.on]} NOT IN ${inList(one.values)})`
        : sql`${columns[one.on]} IN ${inList(one.values)}`
  }
}

/** Builds a range, both ends included, of which at least one is set. */
function rangeCondition(
  column: RawBuilder<unknown>,
  { from, to }: { from: string | number | null; to: string | number | null },
): RawBuilder<unknown> {
  const ends = [
    ...(from === null ? [] : [sql`${column} >= ${from}`]),
    ...(to === null ? [] : [sql`${column} <= ${to}`]),
  ]
  return sql`(${sql.join(ends, sql` AND `)})`
}

function tagCondition({ tenantId, how }: Context, keys: readonly string[]): RawBuilder<unknown> {
  const isWanted = sql`t.tag_key IN ${inList(keys)}`
  return how === 'scan'
    ? sql`b.id IN (SELECT t.business_id FROM business_tags t WHERE t.tenant_id = ${tenantId} AND ${isWanted})`
    : sql`EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = b.tenant_id AND t.business_id = b.id AND ${isWanted})`
}

function emptyCondition(
  { column, ofShown }: Extract<FurtherCondition, { on: 'empty' }>,
  context: Context,
): RawBuilder<unknown> {
  switch (column) {
    case 'tag':
      // Compared as in `isAbsent`.
      return sql`(b.tags = '[]') = 1`
    case 'sourceLabel':
    case 'role':
      return sql`NOT ${childCondition(column, sql`TRUE`, { ofShown }, context)}`
    case 'followUp':
      return sql`b.follow_up_on IS NULL`
    case 'lastInteraction':
      return sql`b.last_interaction_at IS NULL`
    case 'assignee':
    case 'province':
    case 'lastOutcome':
      return sql`${columns[column]} IS NULL`
    default:
      return sql`${texts[column]} IS NULL`
  }
}

/** Builds a condition on a text. A record without the text does not match, so null counts as false. */
function textCondition(
  { column, isWhole, values, ofShown }: Extract<FurtherCondition, { on: 'text' }>,
  context: Context,
): RawBuilder<unknown> {
  if (isChildText(column)) {
    const text = sql`lower(${sql.ref(`t.${childPlaces[column].column}`)})`
    return childCondition(column, holdsOne(text, isWhole, values), { ofShown }, context)
  }
  return sql`coalesce(${holdsOne(texts[column], isWhole, values)}, 0)`
}

function holdsOne(text: RawBuilder<unknown>, isWhole: boolean, values: readonly string[]): RawBuilder<unknown> {
  if (isWhole) return sql`${text} IN (SELECT lower(wanted.value) FROM ${elementsOf(values, 'wanted')})`
  return sql`(${sql.join(
    values.map((value) => contains(text, sql`lower(${value})`)),
    sql` OR `,
  )})`
}

/**
 * Returns true in SQL if a child of the record, or of a record merged into it, meets a condition on its text `t`. A single row reads no children if
 * the record has none. A scan checks only records with children, and finds the records with such children, and those above merged records with them,
 * once.
 */
function childCondition(
  field: ChildText,
  condition: RawBuilder<unknown>,
  { ofShown }: OfShown,
  { tenantId, how }: Context,
): RawBuilder<unknown> {
  const { table, condition: isIndexed, index, has } = childPlaces[field]
  const child = sql`${sql.table(table)} AS t`
  const isWanted = sql`${isIndexed} AND ${condition}`
  const isShown = ofShown === true ? sql`AND m.do_not_contact = 0` : sql``
  if (how === 'scan') {
    return sql`(${has} = 1 AND (b.id IN (SELECT t.business_id FROM ${child} ${alongIndex(index)}
        WHERE t.tenant_id = ${tenantId} AND ${isWanted})
      OR b.id IN (
        WITH RECURSIVE above (id) AS (
          SELECT m.merged_into FROM businesses AS m ${alongIndex('businesses_by_survivor')}
          WHERE m.tenant_id = ${tenantId} AND m.merged_into IS NOT NULL ${isShown}
            AND EXISTS (SELECT 1 FROM ${child} WHERE t.tenant_id = ${tenantId} AND t.business_id = m.id AND ${isWanted})
          UNION
          SELECT m.merged_into FROM above ${thenJoin} businesses m ON m.tenant_id = ${tenantId} AND m.id = above.id ${isShown}
          WHERE m.merged_into IS NOT NULL)
        SELECT id FROM above)))`
  }
  return sql`(${has} = 1 AND EXISTS (
    WITH RECURSIVE found (id, depth) AS (
      SELECT b.id, 0
      UNION
      SELECT m.id, depth + 1 FROM found ${thenJoin} businesses m ON m.tenant_id = b.tenant_id AND m.merged_into = found.id ${isShown}
      WHERE depth < ${sql.lit(MAX_FAMILY)})
    SELECT 1 FROM found ${thenJoin} ${child} ON t.tenant_id = b.tenant_id AND t.business_id = found.id WHERE ${isWanted}))`
}

/** Builds a condition on the names of a record's people. Names are hidden with the record for which a person was added. */
function personCondition(
  { terms, scope, ofShown }: Extract<FurtherCondition, { on: 'person' }>,
  { how }: Context,
): RawBuilder<unknown> {
  const isFound =
    how === 'scan'
      ? sql`b.docid IN (SELECT docid FROM ${findByPerson(scope, terms)})`
      : peopleHoldAny(sql`b.docid`, terms)
  return ofShown === true ? sql`(${isFound} AND NOT ${hasBlockedBelow()})` : isFound
}
