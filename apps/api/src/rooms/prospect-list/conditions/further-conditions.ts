import { type RawBuilder, sql } from 'kysely'
import { objectOf } from '../../../lib/map-values.ts'
import { contains, elementsOf, inList, thenJoin } from '../../../store/engine/dialect.ts'
import { columnOf, MAX_FAMILY, type TextFilter, textFilterNames, textFilters } from '../../businesses/businesses.ts'
import { type ReviewFilter, reviewCondition } from '../../review-decisions/review-decisions.ts'
import { type ScoreCodes, scoreCodeCondition } from '../../scoring/scoring.ts'
import type { IdentifierField, TextField } from './conditions.schema.ts'

/*
 * Conditions of a filter that no index serves: several values, exclusions, absent values. They are checked on each record that the list reads. They
 * are plain data, because cursors and cached counts are bound to their content.
 */

const columns = {
  state: sql`b.pipeline_state`,
  assignee: sql`b.assignee_id`,
  province: sql`b.province_code`,
  doNotContact: sql`b.do_not_contact`,
  hasEvidence: sql`b.has_evidence`,
} as const

const texts = objectOf<Record<TextFilter, RawBuilder<unknown>>>(textFilterNames, (field) =>
  sql.ref(`b.${columnOf(textFilters[field])}`),
)

const identifiers = {
  email: sql`b.primary_email`,
  phone: sql`b.primary_phone`,
  domain: sql`b.primary_domain`,
  registrationNumber: sql`b.registration_number`,
} as const

/** Set if the reader may not see the sources of do not contact records. Evidence of such a record, and of those merged into it, then does not match. */
type OfShown = { ofShown?: true | undefined }

export type FurtherCondition =
  | { on: 'nothing' }
  | { on: keyof typeof columns; isNot: boolean; values: readonly (string | number)[] }
  | ({
      on: 'empty'
      column: 'assignee' | 'province' | 'tag' | 'followUp' | 'lastInteraction' | TextField
      isNot: boolean
    } & OfShown)
  | ({ on: 'text'; column: TextField; isNot: boolean; isWhole: boolean; values: readonly string[] } & OfShown)
  | { on: 'identifiers'; isNot: boolean; kinds: readonly IdentifierField[] }
  | { on: 'tag'; isNot: boolean; keys: readonly string[] }
  | { on: 'review'; isNot: boolean; values: readonly ReviewFilter[] }
  | { on: 'lastInteraction'; isNot: boolean; from: string | null; to: string | null }
  | { on: 'evidenceCount'; from: number | null; to: number | null }
  | ({ on: 'score'; isNot: boolean } & ScoreCodes)

const NOTHING = sql`1 = 0`
const negated = (isNot: boolean, condition: RawBuilder<unknown>) =>
  isNot ? sql`NOT (${condition})` : sql`(${condition})`

/** Builds a condition on `businesses AS b`. */
export function furtherCondition(one: FurtherCondition): RawBuilder<unknown> {
  switch (one.on) {
    case 'nothing':
      return NOTHING
    case 'empty':
      return negated(one.isNot, emptyCondition(one))
    case 'text':
      return negated(one.isNot, textCondition(one))
    case 'identifiers':
      return negated(
        one.isNot,
        sql.join(
          one.kinds.map((kind) => sql`${identifiers[kind]} IS NOT NULL`),
          sql` OR `,
        ),
      )
    case 'tag':
      return negated(
        one.isNot,
        sql`EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = b.tenant_id AND t.business_id = b.id AND t.tag_key IN ${inList(one.keys)})`,
      )
    case 'review':
      return negated(one.isNot, sql.join(one.values.map(reviewCondition), sql` OR `))
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

function emptyCondition({ column, ofShown }: Extract<FurtherCondition, { on: 'empty' }>): RawBuilder<unknown> {
  switch (column) {
    case 'tag':
      return sql`NOT EXISTS (SELECT 1 FROM business_tags t WHERE t.tenant_id = b.tenant_id AND t.business_id = b.id)`
    case 'sourceLabel':
      return sql`NOT ${sourceCondition(sql`e.source_label IS NOT NULL`, { ofShown })}`
    case 'followUp':
      return sql`b.follow_up_on IS NULL`
    case 'lastInteraction':
      return sql`b.last_interaction_at IS NULL`
    case 'assignee':
    case 'province':
      return sql`${columns[column]} IS NULL`
    default:
      return sql`${texts[column]} IS NULL`
  }
}

/** Builds a condition on a text. A record without the text does not match, so null counts as false. */
function textCondition({
  column,
  isWhole,
  values,
  ofShown,
}: Extract<FurtherCondition, { on: 'text' }>): RawBuilder<unknown> {
  if (column === 'sourceLabel') return sourceCondition(holdsOne(sql`e.source_label`, isWhole, values), { ofShown })
  return sql`coalesce(${holdsOne(texts[column], isWhole, values)}, 0)`
}

function holdsOne(text: RawBuilder<unknown>, isWhole: boolean, values: readonly string[]): RawBuilder<unknown> {
  if (isWhole) return sql`lower(${text}) IN (SELECT lower(wanted.value) FROM ${elementsOf(values, 'wanted')})`
  return sql`(${sql.join(
    values.map((value) => contains(sql`lower(${text})`, sql`lower(${value})`)),
    sql` OR `,
  )})`
}

/**
 * Returns true in SQL if evidence of the record, or of a record merged into it, meets a condition on `evidence AS e`. Reads no evidence for records
 * whose stored count is zero.
 */
function sourceCondition(condition: RawBuilder<unknown>, { ofShown }: OfShown): RawBuilder<unknown> {
  const isShown = ofShown === true ? sql`AND m.do_not_contact = 0` : sql``
  return sql`(b.evidence_count > 0 AND EXISTS (
    WITH RECURSIVE found (id, depth) AS (
      SELECT b.id, 0
      UNION
      SELECT m.id, depth + 1 FROM found ${thenJoin} businesses m ON m.tenant_id = b.tenant_id AND m.merged_into = found.id ${isShown}
      WHERE depth < ${sql.lit(MAX_FAMILY)})
    SELECT 1 FROM found ${thenJoin} evidence e ON e.tenant_id = b.tenant_id AND e.business_id = found.id WHERE ${condition}))`
}
