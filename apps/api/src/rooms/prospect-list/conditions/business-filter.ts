import { type RawBuilder, sql } from 'kysely'
import type { PipelineState } from '../../../lib/pipeline-state.ts'
import { alongIndex, isSame } from '../../../store/engine/dialect.ts'
import {
  type BusinessTable,
  columnOf,
  fold,
  hasBlockedBelow,
  type NumberColumn,
  type NumberFact,
  nameHoldsAny,
  numberFacts,
  type SearchTerm,
  searchTerms,
  type TextFilter,
  textFilterNames,
  textFilters,
} from '../../businesses/businesses.ts'
import { callingCodesWithHours } from '../../contact-hours/contact-hours.ts'
import { type ReviewFilter, reviewCondition } from '../../review-decisions/review-decisions.ts'
import { type ScoreFilter, scoreCondition } from '../../scoring/scoring.ts'
import { type Checking, type FurtherCondition, furtherCondition } from './further-conditions.ts'
import type { DayRange } from './relative-days.rules.ts'

export type SegmentColumn = 'city' | NumberColumn | 'last_interaction_at' | 'follow_up_on'

export type NumberRange = { from: number | null; to: number | null }

/**
 * The filter of a list. An absent field sets no condition. Null selects only businesses without a value. Text filters: a spelling of the records,
 * compared without regard to case.
 */
export type Filter = { [Field in TextFilter]?: string } & {
  tenantId: string
  /** selects only deactivated records; otherwise only active ones are selected */
  isInactive?: true
  /** search terms of at least three characters, each a part of a name, trading name, email, phone or domain; one matching term suffices */
  terms?: readonly SearchTerm[]
  /** one or two characters with which the name begins */
  nameStart?: string
  state?: PipelineState
  assigneeId?: string | null
  province?: BusinessTable['province_code']
  doNotContact?: boolean
  hasEvidence?: boolean
  tagKey?: string
  updatedFrom?: string
  updatedTo?: string
  /** range of the open follow-up date, both ends included; null selects records without one */
  followUp?: DayRange | null
  /** ranges of whole numbers, both ends included; null selects records without the number */
  numbers?: { [Field in NumberFact]?: NumberRange | null }
  createdFrom?: string
  createdTo?: string
  /** set by lists that are read in segments: only records with a value in this column, or only those without */
  segment?: { column: SegmentColumn; isPresent: boolean }
  /** set by lists in the order of calls: the first number is of a country with contact hours, and the record is not do not contact */
  hasCallHours?: boolean
  /** condition on the active scores */
  score?: ScoreFilter
  /** condition on the state of the review */
  review?: ReviewFilter
  /** conditions with several values or other operators, which the fields above cannot express */
  further?: readonly FurtherCondition[]
  /** set if the reader may not see contact values of do-not-contact records; a search then finds those records by name only */
  byNamesOnly?: true
}

export function searchOf(q: string): Pick<Filter, 'terms' | 'nameStart'> {
  const terms = searchTerms(q)
  return terms.length > 0 ? { terms } : { nameStart: fold(q) }
}

/**
 * Returns the SQL conditions of the filter on `businesses AS b`. The search terms are missing: the readers of rows add them, because there are
 * several ways to search.
 */
export function conditionsOf(filter: Filter, how: Checking = 'row'): RawBuilder<unknown>[] {
  const {
    tenantId,
    isInactive,
    nameStart,
    state,
    assigneeId,
    province,
    doNotContact,
    hasEvidence,
    tagKey: tag,
    updatedFrom,
    updatedTo,
    byNamesOnly,
    score,
    review,
    further = [],
    followUp,
    numbers = {},
    createdFrom,
    createdTo,
    segment,
    hasCallHours,
    terms = [],
  } = filter
  const conditions = [
    sql`b.tenant_id = ${tenantId}`,
    isInactive === true ? sql`b.deactivated_at IS NOT NULL` : sql`b.status = 'active'`,
  ]
  if (nameStart !== undefined)
    conditions.push(sql`b.name_key >= ${nameStart}`, sql`b.name_key < ${`${nameStart}\u{10ffff}`}`)
  if (state !== undefined) conditions.push(sql`b.pipeline_state = ${state}`)
  if (assigneeId !== undefined) conditions.push(isSame(sql.ref('b.assignee_id'), assigneeId))
  if (province !== undefined) conditions.push(isSame(sql.ref('b.province_code'), province))
  if (doNotContact !== undefined) conditions.push(doNotContact ? sql`b.do_not_contact = 1` : sql`b.do_not_contact = 0`)
  if (hasEvidence !== undefined) conditions.push(hasEvidence ? sql`b.has_evidence = 1` : sql`b.has_evidence = 0`)
  if (byNamesOnly === true && terms.length > 0) {
    conditions.push(sql`((b.do_not_contact = 0 AND NOT ${hasBlockedBelow()}) OR ${nameHoldsAny(terms)})`)
  }
  if (tag !== undefined) conditions.push(furtherCondition({ on: 'tag', isNot: false, keys: [tag] }, { tenantId, how }))
  if (score !== undefined) conditions.push(scoreCondition(score))
  if (review !== undefined) conditions.push(reviewCondition(review, { tenantId, isSet: how === 'scan' }))
  conditions.push(...further.map((one) => furtherCondition(one, { tenantId, how })))
  if (followUp !== undefined) conditions.push(...rangeConditions('follow_up_on', followUp))
  for (const field of numberFacts) {
    const range = numbers[field]
    if (range !== undefined) conditions.push(...rangeConditions(columnOf(field), range))
  }
  for (const field of textFilterNames) {
    const text = filter[field]
    const column = sql.ref(`b.${columnOf(textFilters[field])}`)
    // The indexes on texts contain expressions such as `lower(city)`.
    if (text !== undefined) conditions.push(sql`lower(${column}) = lower(${text})`)
  }
  if (createdFrom !== undefined) conditions.push(sql`b.created_at >= ${createdFrom}`)
  if (createdTo !== undefined) conditions.push(sql`b.created_at <= ${createdTo}`)
  if (segment !== undefined) {
    const stored = sql.ref(`b.${segment.column}`)
    const column = how === 'scan' && segment.column === 'city' ? sql`lower(${stored})` : stored
    conditions.push(segment.isPresent ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`)
  }
  if (hasCallHours !== undefined) conditions.push(callHoursCondition(hasCallHours, { tenantId, how }))
  if (updatedFrom !== undefined) conditions.push(sql`b.updated_at >= ${updatedFrom}`)
  if (updatedTo !== undefined) conditions.push(sql`b.updated_at <= ${updatedTo}`)
  return conditions
}

/**
 * Returns the condition of the first part of the order of calls, or of the second one. Both contain only records with a follow-up date. A scan reads no row
 * of the table, so it gets the records of the first part as a set, read along the index of follow-ups.
 */
function callHoursCondition(
  isWanted: boolean,
  { tenantId, how }: { tenantId: string; how: Checking },
): RawBuilder<unknown> {
  const isIn = (alias: string) => {
    const number = sql.ref(`${alias}.primary_phone_normalized`)
    // A number in E.164 form begins with its calling code. The colon follows the digits in the order of texts.
    const within = callingCodesWithHours.map((code) => sql`(${number} >= ${`+${code}`} AND ${number} < ${`+${code}:`})`)
    return sql`(${sql.ref(`${alias}.do_not_contact`)} = 0 AND ${number} IS NOT NULL AND (${sql.join(within, sql` OR `)}))`
  }
  const has =
    how === 'scan'
      ? sql`b.id IN (SELECT c.id FROM businesses AS c ${alongIndex('businesses_by_follow_up')}
          WHERE c.tenant_id = ${tenantId} AND c.status = 'active' AND c.follow_up_on IS NOT NULL AND ${isIn('c')})`
      : isIn('b')
  return isWanted ? has : sql`NOT ${has}`
}

/** Returns the conditions of a range on a column of `businesses AS b`. */
function rangeConditions(
  name: 'follow_up_on' | NumberColumn,
  range: DayRange | NumberRange | null,
): RawBuilder<unknown>[] {
  const column = sql.ref(`b.${name}`)
  if (range === null) return [sql`${column} IS NULL`]
  const conditions = [sql`${column} IS NOT NULL`]
  if (range.from !== null) conditions.push(sql`${column} >= ${range.from}`)
  if (range.to !== null) conditions.push(sql`${column} <= ${range.to}`)
  return conditions
}
