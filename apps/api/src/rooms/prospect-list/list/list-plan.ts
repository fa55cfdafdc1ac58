import { type RawBuilder, sql } from 'kysely'
import { alongIndex, alongPrimaryKey, jsonList, numbersOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import {
  countWithTag,
  type FilterColumn,
  findByPerson,
  findByText,
  holdsAny,
  type SearchTerm,
  textScopeOf,
} from '../../businesses/businesses.ts'
import { countInReview, isReviewedState } from '../../review-decisions/review-decisions.ts'
import { countScored, scoreParts } from '../../scoring/scoring.ts'
import { conditionsOf, type Filter, type SegmentColumn } from '../conditions/business-filter.ts'
import { findByChildText } from '../conditions/spellings.ts'
import type { Sort } from '../prospect-list.schema.ts'

/*
 * Chooses how a list finds its rows: by a fixed index, not by one that the query planner guesses.
 *
 * direct: one index contains exactly the filtered rows in exactly the requested order; immediate, at any size
 * gather: a condition on another table leaves few rows; read all of them and sort them, in the background thread
 * scan: any other filter; one index contains all filterable values of the listed records (`read-rows.ts`)
 */

/** Largest set of rows that is gathered and sorted. */
export const SMALL_SET = 5_000

export type Order = {
  column: 'updated_at' | 'id' | 'name_key' | SegmentColumn
  index: Index
  descending: boolean
}
type Index =
  | 'businesses_listed'
  | 'primary key'
  | 'businesses_by_name'
  | 'businesses_deactivated'
  | 'businesses_by_last_interaction'
  | 'businesses_by_follow_up'
  | `businesses_by_${FilterColumn}`

/**
 * A source of rows: a FROM clause that ends with `businesses AS b`, and additional conditions. `text`: the condition on the search terms.
 * `isTagged`: the source contains exactly the rows with the filter's tag. `change`: the columns that contain the time of the last change and the id,
 * if they are not those of the business.
 */
export type Source = {
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>[]
  text?: RawBuilder<unknown>
  isTagged?: true
  change?: readonly [RawBuilder<unknown>, RawBuilder<unknown>]
}
/** The way in which a list reads its rows. */
export type Plan = { way: 'direct' | 'gather'; source: Source } | { way: 'scan' }

type PlainSort = Extract<Sort, 'updatedAt' | '-updatedAt' | 'createdAt' | '-createdAt' | 'name' | '-name'>

/** Orders that follow one index. `list-by-score.ts` has the orders by score, `list-segments.ts` the orders of several segments. */
export const orders: Record<PlainSort, Order> = {
  updatedAt: { column: 'updated_at', index: 'businesses_listed', descending: false },
  '-updatedAt': { column: 'updated_at', index: 'businesses_listed', descending: true },
  // Ids ascend in the order of creation, so the primary key provides this order.
  createdAt: { column: 'id', index: 'primary key', descending: false },
  '-createdAt': { column: 'id', index: 'primary key', descending: true },
  name: { column: 'name_key', index: 'businesses_by_name', descending: false },
  '-name': { column: 'name_key', index: 'businesses_by_name', descending: true },
}

/** Returns the source of a filter that one index serves in this order; undefined for any other filter. */
export function directSource(filter: Filter, order: Order): Source | undefined {
  const { tenantId: _tenant, updatedFrom, updatedTo, segment, isInactive, tagKey, ...others } = filter
  if (Object.keys(others).length > 0 || segment?.isPresent === false) return undefined
  const isByChange = order.column === 'updated_at'
  const isRange = updatedFrom !== undefined || updatedTo !== undefined
  if (isRange && !isByChange) return undefined
  if (isInactive === true)
    return isByChange && tagKey === undefined && segment === undefined ? byIndex('businesses_deactivated') : undefined
  if (tagKey === undefined) return byIndex(order.index)
  return isByChange ? byTag(filter, tagKey) : undefined
}

/** Returns all rows in an order, or those with the filter's tag if an index contains them in this order. */
export function inOrder(filter: Filter, order: Order): Source {
  const { tagKey } = filter
  return tagKey !== undefined && order.column === 'updated_at' ? byTag(filter, tagKey) : byIndex(order.index)
}

/** Returns the source of a scan: the index of all filterable values, for all listed records or for those with the filter's tag. */
export function scanned(filter: Filter): Source {
  return filter.tagKey === undefined ? byIndex('businesses_listed') : byTag(filter, filter.tagKey)
}

function byIndex(index: Index): Source {
  const along = index === 'primary key' ? alongPrimaryKey('businesses') : alongIndex(index)
  return { from: sql`businesses AS b ${along}`, where: [] }
}

function byTag({ tenantId, updatedFrom, updatedTo }: Filter, tagKey: string): Source {
  const listed = [
    updatedFrom === undefined ? sql`wanted.listed_at > ''` : sql`wanted.listed_at >= ${updatedFrom}`,
    ...(updatedTo === undefined ? [] : [sql`wanted.listed_at <= ${updatedTo}`]),
  ]
  return {
    from: sql`business_tags AS wanted ${thenJoin} businesses AS b ${alongIndex('businesses_listed')}
      ON b.tenant_id = wanted.tenant_id AND b.updated_at = wanted.listed_at AND b.id = wanted.business_id`,
    where: [sql`wanted.tenant_id = ${tenantId}`, sql`wanted.tag_key = ${tagKey}`, ...listed],
    isTagged: true,
    change: [sql`wanted.listed_at`, sql`wanted.business_id`],
  }
}

/** Returns the plan of a filter in an order. */
export async function planOf(store: Store, filter: Filter, order: Order, smallSet: number): Promise<Plan> {
  const source = directSource(filter, order)
  return source === undefined ? backgroundPlan(store, filter, smallSet) : { way: 'direct', source }
}

/**
 * Returns the plan of a filter that no index serves. It starts from the smallest set that a condition on another table leaves, if that set is small.
 */
export async function backgroundPlan(store: Store, filter: Filter, smallSet: number): Promise<Plan> {
  const { terms, isInactive } = filter
  const holdingTerms = (source: Source) => (terms === undefined ? source : holding(source, terms))
  if (isInactive === true) return { way: 'gather', source: holdingTerms(byIndex('businesses_deactivated')) }
  const [smallest] = (await candidatesOf(store, filter, smallSet)).toSorted((a, b) => a.size - b.size)
  if (smallest === undefined || smallest.size > smallSet) return { way: 'scan' }
  return { way: 'gather', source: smallest.isSearch === true ? smallest.source : holdingTerms(smallest.source) }
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

/** A set of rows that a condition on another table selects. `isSearch`: it contains exactly the matches of the search terms. */
type Candidate = { size: number; source: Source; isSearch?: true }

async function candidatesOf(store: Store, filter: Filter, smallSet: number): Promise<Candidate[]> {
  const { tenantId, terms, tagKey, review, score, further = [] } = filter
  const candidates: Candidate[] = []
  if (tagKey !== undefined)
    candidates.push({ size: await countWithTag(store.reader, tenantId, tagKey), source: byTag(filter, tagKey) })
  if (isReviewedState(review))
    candidates.push({
      size: await countInReview(store.reader, review, { tenantId }),
      source: byReview(tenantId, review),
    })
  if (score !== undefined) candidates.push(await byScore(store, score))
  if (terms !== undefined) candidates.push({ ...(await findByIndex(store, tenantId, terms, smallSet)), isSearch: true })
  for (const condition of further) {
    if (condition.on === 'person')
      candidates.push(
        await fewOf(
          store,
          tenantId,
          sql`SELECT docid FROM ${findByPerson(condition.scope, condition.terms)}`,
          smallSet,
        ),
      )
    const found = await findByChildText(store.backgroundOf(tenantId), tenantId, condition, smallSet)
    if (found !== undefined) candidates.push(found)
  }
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

/** Runs a text search and returns the row numbers of its matches, up to one more than the limit. */
async function findByIndex(store: Store, tenantId: string, terms: readonly SearchTerm[], bound: number) {
  const found = findByText(await textScopeOf(store.reader, tenantId, terms), terms)
  return fewOf(store, tenantId, sql`SELECT docid FROM ${found}`, bound)
}

/** Returns the records with the row numbers of a query and their number, up to one more than the limit. */
export async function fewOf(store: Store, tenantId: string, docids: RawBuilder<unknown>, bound: number) {
  const { rows } = await sql<{ size: number; docids: string }>`
    SELECT count(*) AS size, ${jsonList(sql.ref('docid'))} AS docids FROM (${docids} LIMIT ${bound + 1}) AS found`.execute(
    store.backgroundOf(tenantId),
  )
  const { size, docids: list } = rows[0] ?? { size: 0, docids: '[]' }
  const from = sql`${numbersOf(sql.val(list), 'found')} ${thenJoin} businesses AS b ON b.docid = found.value`
  return { size, source: { from, where: [] } }
}

/** Builds those conditions of the filter that the source does not already apply. */
export function conditionsOn(source: Source, filter: Filter): RawBuilder<unknown> {
  const text = source.text === undefined ? [] : [source.text]
  return sql.join([...conditionsOf(withoutTag(source, filter)), ...source.where, ...text], sql` AND `)
}

/** Returns the filter without its tag if the source contains exactly the rows with the tag. */
export function withoutTag(source: Source, filter: Filter): Filter {
  if (source.isTagged !== true) return filter
  const { tagKey: _tag, ...untagged } = filter
  return untagged
}
