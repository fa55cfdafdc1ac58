import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { type Count, countUpTo, countWanted } from '../../../store/engine/count-up-to.ts'
import { alongIndex, alongPrimaryKey, elementsOf, jsonList, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import {
  columnOf,
  countInCube,
  countWithTag,
  type FilterColumn,
  findByText,
  holdsAny,
  indexOf,
  numberFacts,
  type SearchTerm,
  textFilterNames,
  textFilters,
  textScopeOf,
} from '../../businesses/businesses.ts'
import { countInReview, isReviewedState } from '../../review-decisions/review-decisions.ts'
import { countScored, scoreParts } from '../../scoring/scoring.ts'
import { conditionsOf, type Filter, type SegmentColumn } from '../conditions/business-filter.ts'
import { findBySpelling } from '../conditions/spellings.ts'
import type { Sort } from '../prospect-list.schema.ts'

/*
 * Chooses how a list finds its rows: by a fixed index, not by one that the query planner guesses.
 *
 * direct: one index contains exactly the filtered rows in exactly the requested order; immediate, at any size
 * gather: one of the filters leaves few rows; read all of them and sort them, in the background thread
 * scan: many rows match; read along the order and filter until the page is full, in the background thread
 */

/** Largest set of rows that is gathered and sorted. For a larger set a scan fills a page sooner. */
export const SMALL_SET = 5_000
/**
 * Rows per page, by which a scan is compared with gathering. If s of N rows match, a scan reads 50 N / s rows for a page and gathering reads s rows.
 * The two are equal at s = √(50 N).
 */
const ROWS_PER_PAGE = 50

export type Order = {
  column: 'updated_at' | 'id' | 'name_key' | SegmentColumn
  index: Index
  descending: boolean
}
type Index =
  | 'businesses_by_update'
  | 'primary key'
  | 'businesses_by_name'
  | 'businesses_by_state'
  | 'businesses_by_province'
  | 'businesses_by_province_and_state'
  | 'businesses_by_assignee'
  | 'businesses_blocked'
  | 'businesses_with_evidence'
  | 'businesses_deactivated'
  | 'businesses_by_last_interaction'
  | 'businesses_by_follow_up'
  | `businesses_by_${FilterColumn}`
  | 'businesses_by_creation'

/**
 * A source of rows: a FROM clause that ends with `businesses AS b`, and additional conditions. `byTag`: the source contains exactly the rows with the
 * filter's tag. `part`: the conditions of the filter that the index of the source has. `text`: the condition on the search terms. `change`: the columns that contain the time of the last change and the id, if they are not those of the business.
 */
export type Source = {
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>[]
  part?: Part
  text?: RawBuilder<unknown>
  byTag?: true
  change?: readonly [RawBuilder<unknown>, RawBuilder<unknown>]
}
/**
 * The way in which a list reads its rows. `counted` is a faster source for the count of a scan. `size` is the number of rows in the smallest set that
 * one of the filters selects, if it is known. `walked` contains the rows of that set, for a count of rows that no index has.
 */
export type Plan = {
  way: 'direct' | 'gather' | 'scan'
  source: Source
  counted?: Source
  walked?: Source
  size?: number
}

type PlainSort = Extract<Sort, 'updatedAt' | '-updatedAt' | 'createdAt' | '-createdAt' | 'name' | '-name'>

/** Orders that follow one index. `list-by-score.ts` has the orders by score, `list-segments.ts` the orders of several segments. */
export const orders: Record<PlainSort, Order> = {
  updatedAt: { column: 'updated_at', index: 'businesses_by_update', descending: false },
  '-updatedAt': { column: 'updated_at', index: 'businesses_by_update', descending: true },
  // Ids ascend in the order of creation, so the primary key provides this order.
  createdAt: { column: 'id', index: 'primary key', descending: false },
  '-createdAt': { column: 'id', index: 'primary key', descending: true },
  name: { column: 'name_key', index: 'businesses_by_name', descending: false },
  '-name': { column: 'name_key', index: 'businesses_by_name', descending: true },
}

const narrowings = [
  'terms',
  'nameStart',
  'state',
  'assigneeId',
  'province',
  'doNotContact',
  'hasEvidence',
  'tagKey',
  'score',
  'review',
  'further',
  'followUp',
  'numbers',
  ...textFilterNames,
  'createdFrom',
  'createdTo',
] as const

/** Returns the column of the index of which a filter selects one range; undefined if it selects none. */
function rangeColumn(
  name: (typeof narrowings)[number],
  { followUp, numbers = {} }: Filter,
): Order['column'] | undefined {
  if (name === 'nameStart') return 'name_key'
  if (name === 'followUp') return followUp === null ? undefined : 'follow_up_on'
  const [field, ...others] = numberFacts.filter((one) => numbers[one] !== undefined)
  const isRange = name === 'numbers' && field !== undefined && others.length === 0 && numbers[field] !== null
  return isRange ? columnOf(field) : undefined
}

type Part = Omit<Filter, 'tenantId'>

function rangeOf({ updatedFrom, updatedTo }: Filter): Part {
  return {
    ...(updatedFrom === undefined ? {} : { updatedFrom }),
    ...(updatedTo === undefined ? {} : { updatedTo }),
  }
}

/** Returns sources for those filters whose index is in the order of the last change. */
function heldInOrder(filter: Filter): { part: Part; source: Source }[] {
  const { state, province, assigneeId, doNotContact, hasEvidence, tagKey } = filter
  const held: { part: Part; source: Source }[] = []
  const range = rangeOf(filter)
  const add = (part: Part, index: Index) =>
    held.push({ part, source: { ...byIndex(index), part: { ...part, ...range } } })
  // The combined index of province and state omits the state `new`, which is a large part of any province. For other states it is no larger than
  // either single index, so its rows need no count.
  if (state !== undefined && state !== 'new' && province !== undefined) {
    add({ state, province }, 'businesses_by_province_and_state')
  } else {
    if (state !== undefined) add({ state }, 'businesses_by_state')
    if (province !== undefined) add({ province }, 'businesses_by_province')
  }
  if (assigneeId !== undefined) add({ assigneeId }, 'businesses_by_assignee')
  if (doNotContact === true) add({ doNotContact }, 'businesses_blocked')
  if (hasEvidence === true) add({ hasEvidence }, 'businesses_with_evidence')
  if (tagKey !== undefined) held.push({ part: { tagKey }, source: byTag(filter, tagKey) })
  return held
}

export function directPlan(filter: Filter, order: Order): Plan | undefined {
  if (filter.isInactive === true) {
    const isAlone = narrowings.every((name) => filter[name] === undefined) && filter.segment === undefined
    return isAlone && order.column === 'updated_at'
      ? { way: 'direct', source: byIndex('businesses_deactivated') }
      : undefined
  }
  // Records without a value are in no index on that column. They are found by a scan in the order of creation.
  if (filter.segment?.isPresent === false) return undefined
  const [first, ...others] = narrowings.filter((name) => filter[name] !== undefined)
  const isByChange = order.column === 'updated_at'
  const isRange = filter.updatedFrom !== undefined || filter.updatedTo !== undefined
  if (isRange && !isByChange) return undefined
  if (first === undefined) return { way: 'direct', source: byIndex(order.index) }
  const isRangeOfOrder = others.length === 0 && rangeColumn(first, filter) === order.column
  if (isRangeOfOrder) return { way: 'direct', source: byIndex(order.index) }
  const whole = isByChange
    ? heldInOrder(filter).find(({ part }) => Object.keys(part).length === others.length + 1)
    : undefined
  return whole && { way: 'direct', source: whole.source }
}

function byIndex(index: Index): Source {
  // Write the value as a literal, as in the index definition, because SQLite uses the partial index only for a literal condition.
  const where = index === 'businesses_by_province_and_state' ? [sql`b.pipeline_state <> 'new'`] : []
  const along = index === 'primary key' ? alongPrimaryKey('businesses') : alongIndex(index)
  return { from: sql`businesses AS b ${along}`, where }
}

function byTag({ tenantId, updatedFrom, updatedTo }: Filter, tagKey: string): Source {
  const listed = [
    updatedFrom === undefined ? sql`wanted.listed_at > ''` : sql`wanted.listed_at >= ${updatedFrom}`,
    ...(updatedTo === undefined ? [] : [sql`wanted.listed_at <= ${updatedTo}`]),
  ]
  return {
    from: sql`business_tags AS wanted ${thenJoin} businesses AS b ON b.tenant_id = wanted.tenant_id AND b.id = wanted.business_id`,
    where: [sql`wanted.tenant_id = ${tenantId}`, sql`wanted.tag_key = ${tagKey}`, ...listed],
    byTag: true,
    change: [sql`wanted.listed_at`, sql`wanted.business_id`],
  }
}

/** Returns a plan that starts from the smallest set that a single filter leaves. */
export async function backgroundPlan(store: Store, filter: Filter, order: Order, smallSet: number): Promise<Plan> {
  if (filter.isInactive === true) {
    const source = byIndex('businesses_deactivated')
    return { way: 'gather', source: filter.terms === undefined ? source : holding(source, filter.terms) }
  }
  const candidates = (await candidatesOf(store, filter, smallSet)).toSorted((a, b) => a.size - b.size)
  const size = candidates[0]?.size
  const holdingTerms = (source: Source) => (filter.terms === undefined ? source : holding(source, filter.terms))
  const small = candidates[0] !== undefined && candidates[0].size <= smallSet ? candidates[0] : undefined
  const counted = small?.isSearch === true ? small.source : small && holdingTerms(small.source)
  if (small !== undefined && counted !== undefined && !(await isFoundSoonerByWalking(store, filter, small)))
    return { way: 'gather', source: counted, ...(size === undefined ? {} : { size }) }
  // A set that was counted up to the limit can be larger than its count, but it has no order to scan along.
  const inOrder = order.column === 'updated_at' ? candidates.find(({ isInOrder }) => isInOrder) : undefined
  const source = holdingTerms(inOrder?.source ?? byIndex(order.index))
  // A search that found more than the limit is cut off at the limit.
  const whole =
    inOrder === undefined ? candidates.find((one) => one.isSearch !== true && one.isCutOff !== true) : undefined
  return {
    way: 'scan',
    source,
    ...(counted === undefined ? {} : { counted }),
    ...(whole === undefined ? {} : { walked: holdingTerms(whole.source) }),
    ...(size === undefined ? {} : { size }),
  }
}

/**
 * Returns true if a scan fills a page of a text search sooner than gathering. Matches are scattered over the tenant: the more there are, the sooner a
 * scan fills a page and the longer gathering takes. Returns false with other filters, because the combination may match no row, and a scan would
 * detect that only at its end.
 */
async function isFoundSoonerByWalking(store: Store, filter: Filter, { size, isSearch }: Candidate): Promise<boolean> {
  const { tenantId, terms, ...others } = filter
  if (isSearch !== true || Object.keys(others).length > 0) return false
  return size > Math.sqrt(ROWS_PER_PAGE * (await countInCube(store.reader, { tenantId })))
}

/** Adds to a source the condition that the current search text contains any of the terms. */
export function holding(source: Source, terms: readonly SearchTerm[]): Source {
  return {
    ...source,
    from: sql`${source.from} LEFT JOIN business_search AS s ON s.docid = b.docid
      LEFT JOIN business_search_pending AS p ON p.docid = b.docid`,
    text: holdsAny(sql`coalesce(p.text, s.text)`, terms),
  }
}

/**
 * A set of rows from which a list can start. `isInOrder`: sorted by the last change. `isSearch`: already restricted to matches of the search terms.
 */
type Candidate = { size: number; source: Source; isInOrder?: true; isSearch?: true; isCutOff?: true }

async function candidatesOf(store: Store, filter: Filter, smallSet: number): Promise<Candidate[]> {
  const { tenantId, terms, nameStart, followUp, createdFrom, createdTo } = filter
  const range = rangeOf(filter)
  const candidates: Candidate[] = []
  for (const { part, source } of heldInOrder(filter)) {
    const { tagKey } = part
    const size =
      tagKey === undefined
        ? await countInCube(store.reader, { tenantId, ...part })
        : await countWithTag(store.reader, tenantId, tagKey)
    candidates.push({ size, source, isInOrder: true })
  }
  if (terms !== undefined) {
    const found = await findByIndex(store, tenantId, terms, smallSet)
    candidates.push({ ...found, isSearch: true })
  }
  const addRange = async (along: Index, part: Part) => {
    const source = { ...byIndex(along), part }
    candidates.push({
      size: await countMatching(smallSet, store.backgroundOf(tenantId), source, { tenantId, ...part }),
      source,
    })
  }
  if (filter.score !== undefined) candidates.push(await byScore(store, filter.score))
  const { review } = filter
  if (isReviewedState(review))
    candidates.push({
      size: await countInReview(store.reader, review, { tenantId }),
      source: byReview(tenantId, review),
    })
  if (nameStart !== undefined) await addRange('businesses_by_name', { nameStart })
  if (followUp !== undefined && followUp !== null) await addRange('businesses_by_follow_up', { followUp })
  for (const field of numberFacts) {
    const range = filter.numbers?.[field]
    if (range != null) await addRange(indexOf(columnOf(field)), { numbers: { [field]: range } })
  }
  for (const field of textFilterNames)
    if (filter[field] !== undefined) await addRange(indexOf(columnOf(textFilters[field])), { [field]: filter[field] })
  for (const condition of filter.further ?? []) {
    const found = await findBySpelling(store.backgroundOf(tenantId), tenantId, condition, smallSet)
    if (found !== undefined) candidates.push(found.size > smallSet ? { ...found, isCutOff: true } : found)
  }
  const created = {
    ...(createdFrom === undefined ? {} : { createdFrom }),
    ...(createdTo === undefined ? {} : { createdTo }),
  }
  if (Object.keys(created).length > 0) await addRange('businesses_by_creation', created)
  if (Object.keys(range).length > 0) await addRange('businesses_by_update', range)
  return candidates
}

function byReview(tenantId: string, state: string): Source {
  return {
    from: sql`review_states AS wanted ${thenJoin} businesses AS b ON b.tenant_id = wanted.tenant_id AND b.id = wanted.business_id`,
    where: [sql`wanted.tenant_id = ${tenantId}`, sql`wanted.state = ${state}`],
  }
}

/** Returns the records whose active scores meet the filter, read through the index of scores, and their number. */
async function byScore(store: Store, score: NonNullable<Filter['score']>): Promise<Candidate> {
  const size = await countScored(store.reader, score)
  const { tenant, generation, from, to, ...others } = score
  const where = [
    sql`wanted.tenant = ${tenant}`,
    sql`wanted.generation = ${generation}`,
    ...scoreParts({ tenant, generation, ...others }, 'wanted', sql`wanted.rank`),
    ...(from === undefined ? [] : [sql`wanted.rank <= ${100 - from}`]),
    ...(to === undefined ? [] : [sql`wanted.rank BETWEEN ${100 - to} AND 100`]),
  ]
  const join = sql`score_order AS wanted ${thenJoin} tenants AS t ON t.number = wanted.tenant
    ${thenJoin} businesses AS b ON b.tenant_id = t.id AND b.id = wanted.business_id`
  return { size, source: { from: join, where } }
}

/**
 * Runs a text search once and returns the row numbers of its matches. The count and the page both use this list, unless it has more rows than the
 * limit.
 */
async function findByIndex(store: Store, tenantId: string, terms: readonly SearchTerm[], bound: number) {
  const found = findByText(await textScopeOf(store.reader, tenantId, terms), terms)
  const { rows } = await sql<{ size: number; docids: string }>`
    SELECT count(*) AS size, ${jsonList(sql.ref('docid'))} AS docids FROM (SELECT docid FROM ${found} LIMIT ${bound + 1})`.execute(
    store.backgroundOf(tenantId),
  )
  const { size, docids } = rows[0] ?? { size: 0, docids: '[]' }
  const from = sql`${elementsOf(sql.val(docids), 'found')} ${thenJoin} businesses AS b ON b.docid = found.value`
  return { size, source: { from, where: [] } }
}

/** Builds those conditions of the filter that the source does not already apply. */
export function conditionsOn(source: Source, filter: Filter): RawBuilder<unknown> {
  const { tagKey, ...untagged } = filter
  const text = source.text === undefined ? [] : [source.text]
  return sql.join([...conditionsOf(source.byTag === true ? untagged : filter), ...source.where, ...text], sql` AND `)
}

/** Counts the rows of a source that match the filter. Stops counting at one row more than the limit. */
export function countMatching(bound: number, db: Kysely<Database>, source: Source, filter: Filter): Promise<number> {
  return countUpTo(db, sql`(SELECT 1 FROM ${source.from} WHERE ${conditionsOn(source, filter)})`, bound)
}

/** Counts the rows of a source that match the filter. Reads at most `maxWalked` rows of the source. */
export function countWalked(
  bounds: { limit: number; maxWalked: number },
  db: Kysely<Database>,
  source: Source,
  filter: Filter,
): Promise<Count> {
  const { tenantId, isInactive } = filter
  const indexed = { tenantId, ...(isInactive === true ? { isInactive } : {}), ...source.part }
  const base = sql.join([...conditionsOf(indexed), ...source.where], sql` AND `)
  const rows = sql`(SELECT ${conditionsOn(source, filter)} AS is_wanted FROM ${source.from} WHERE ${base})`
  return countWanted(db, rows, bounds)
}

/**
 * Counts the matches of a search among the rows that the text index finds. Returns undefined without a search, or if the index finds more rows than
 * the limit and not all of them match the filter.
 */
export async function countFound(store: Store, filter: Filter, bound: number): Promise<number | undefined> {
  if (filter.terms === undefined) return undefined
  const { size, source } = await findByIndex(store, filter.tenantId, filter.terms, bound)
  const count = await countMatching(bound, store.backgroundOf(filter.tenantId), source, filter)
  return size <= bound || count > bound ? count : undefined
}
