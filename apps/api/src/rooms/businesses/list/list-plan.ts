import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../store/database.ts'
import { alongIndex, alongPrimaryKey, elementsOf, jsonList, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import type { Sort } from '../businesses.schema.ts'
import { findByText, textScopeOf } from '../search/find-by-text.sqlite.ts'
import type { SearchTerm } from '../search/search-text.rules.ts'
import { countInCube, countWithTag } from './business-counts.ts'
import { conditionsOf, type Filter, holdsAny } from './business-filter.ts'
import { countScored, scoreParts } from './score-filter.ts'

/*
 * How a list finds its rows: along the index that was chosen for it, not along one that a planner guesses.
 *
 *   direct  an index holds exactly the filter in exactly the order: answered at once, at any size
 *   gather  some filter leaves few rows: fetch them all and sort them, in the background thread
 *   scan    many rows match: walk the order and keep those that match until the page is full, in the background thread
 */

/** Up to so many rows are gathered and sorted; past that a walk in the order finds a page sooner. */
export const SMALL_SET = 5_000
/** What a walk looks for. Among N rows of which s match it passes 50 N / s; gathering reads s, which is as many at the root of 50 N. */
const ROWS_PER_PAGE = 50

export type Order = { column: 'updated_at' | 'id' | 'name_key'; index: Index; descending: boolean }
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

/**
 * Where the rows come from; each is a FROM clause that ends with `businesses AS b` and whatever it adds to WHERE. `byTag`: holds just what
 * carries the tag of the filter. `change`: where it holds the time of the last change and the id, if not in the business.
 */
export type Source = {
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>[]
  byTag?: true
  change?: readonly [RawBuilder<unknown>, RawBuilder<unknown>]
}
/** `counted`: where the rows of a walk are counted sooner than by walking on. `size`: of the smallest set that some filter leaves, where known. */
export type Plan = { way: 'direct' | 'gather' | 'scan'; source: Source; counted?: Source; size?: number }

/** Orders of businesses' own columns; `list-by-score.ts` has those of scores. */
export const orders: Record<Exclude<Sort, 'score' | '-score'>, Order> = {
  updatedAt: { column: 'updated_at', index: 'businesses_by_update', descending: false },
  '-updatedAt': { column: 'updated_at', index: 'businesses_by_update', descending: true },
  // Ids are made in the order of creation, so their own index serves.
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
] as const

type Part = Omit<Filter, 'tenantId'>

/** The rows of some of the filters, in the order of their last change: each as one index holds them. */
function heldInOrder(filter: Filter): { part: Part; source: Source }[] {
  const { state, province, assigneeId, doNotContact, hasEvidence, tagKey } = filter
  const held: { part: Part; source: Source }[] = []
  const add = (part: Part, index: Index) => held.push({ part, source: byIndex(index) })
  // What is new is much of any province, and is not in this index. Of the rest neither alone is fewer than both, nor need be counted.
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
  const [first, ...others] = narrowings.filter((name) => filter[name] !== undefined)
  const isByChange = order.column === 'updated_at'
  const isRange = filter.updatedFrom !== undefined || filter.updatedTo !== undefined
  if (isRange && !isByChange) return undefined
  if (first === undefined) return { way: 'direct', source: byIndex(order.index) }
  if (first === 'nameStart' && others.length === 0 && order.column === 'name_key')
    return { way: 'direct', source: byIndex(order.index) }
  const whole = isByChange
    ? heldInOrder(filter).find(({ part }) => Object.keys(part).length === others.length + 1)
    : undefined
  return whole && { way: 'direct', source: whole.source }
}

function byIndex(index: Index): Source {
  // Written out, as the index says it: only so does SQLite see that it holds these rows.
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

/** The smallest set that some filter leaves, and how to reach it. */
export async function backgroundPlan(store: Store, filter: Filter, order: Order, smallSet: number): Promise<Plan> {
  const candidates = (await candidatesOf(store, filter, smallSet)).toSorted((a, b) => a.size - b.size)
  const size = candidates[0]?.size
  const holdingTerms = (source: Source) => (filter.terms === undefined ? source : holding(source, filter.terms))
  const small = candidates[0] !== undefined && candidates[0].size <= smallSet ? candidates[0] : undefined
  const counted = small?.isSearch === true ? small.source : small && holdingTerms(small.source)
  if (small !== undefined && counted !== undefined && !(await isFoundSoonerByWalking(store, filter, small)))
    return { way: 'gather', source: counted, ...(size === undefined ? {} : { size }) }
  // A set that was only counted up to the bound may look smaller than it is, but nothing can be walked in its order.
  const inOrder = order.column === 'updated_at' ? candidates.find(({ isInOrder }) => isInOrder) : undefined
  const source = holdingTerms(inOrder?.source ?? byIndex(order.index))
  return { way: 'scan', source, ...(counted === undefined ? {} : { counted }), ...(size === undefined ? {} : { size }) }
}

/**
 * What a search found is scattered over the tenant: the more it is, the sooner a walk meets a page of it, and the longer gathering takes.
 * Only where nothing else narrows: of what both leave there may be nothing, and a walk would learn that last.
 */
async function isFoundSoonerByWalking(store: Store, filter: Filter, { size, isSearch }: Candidate): Promise<boolean> {
  const { tenantId, terms, ...others } = filter
  if (isSearch !== true || Object.keys(others).length > 0) return false
  return size > Math.sqrt(ROWS_PER_PAGE * (await countInCube(store.reader, { tenantId })))
}

/** Of those that a source reaches, the ones whose present text holds any of the terms. */
export function holding(source: Source, terms: readonly SearchTerm[]): Source {
  return {
    ...source,
    from: sql`${source.from} LEFT JOIN business_search AS s ON s.docid = b.docid
      LEFT JOIN business_search_pending AS p ON p.docid = b.docid`,
    where: [...source.where, holdsAny(sql`coalesce(p.text, s.text)`, terms)],
  }
}

/** `isInOrder`: of the last change; `isSearch`: has looked for the terms already. */
type Candidate = { size: number; source: Source; isInOrder?: true; isSearch?: true }

async function candidatesOf(store: Store, filter: Filter, smallSet: number): Promise<Candidate[]> {
  const { tenantId, terms, nameStart, updatedFrom, updatedTo } = filter
  const range = {
    ...(updatedFrom === undefined ? {} : { updatedFrom }),
    ...(updatedTo === undefined ? {} : { updatedTo }),
  }
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
    const source = byIndex(along)
    candidates.push({ size: await countUpTo(smallSet, store.background, source, { tenantId, ...part }), source })
  }
  if (filter.score !== undefined) candidates.push(await byScore(store, filter.score))
  if (nameStart !== undefined) await addRange('businesses_by_name', { nameStart })
  if (Object.keys(range).length > 0) await addRange('businesses_by_update', range)
  return candidates
}

/** The records with such scores, along the order of scores. Nothing matches a filter that names no band. */
async function byScore(store: Store, score: NonNullable<Filter['score']> | null): Promise<Candidate> {
  const size = await countScored(store.reader, score)
  if (score === null) return { size, source: { from: sql`businesses AS b`, where: [] } }
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

/** What a text finds, asked once: whoever counts it, or fetches its rows, goes on from the list. Past the bound nothing does. */
async function findByIndex(store: Store, tenantId: string, terms: readonly SearchTerm[], bound: number) {
  const found = findByText(await textScopeOf(store.reader, tenantId, terms), terms)
  const { rows } = await sql<{ size: number; docids: string }>`
    SELECT count(*) AS size, ${jsonList(sql.ref('docid'))} AS docids FROM (SELECT docid FROM ${found} LIMIT ${bound + 1})`.execute(
    store.background,
  )
  const { size, docids } = rows[0] ?? { size: 0, docids: '[]' }
  const from = sql`${elementsOf(sql.val(docids), 'found')} ${thenJoin} businesses AS b ON b.docid = found.value`
  return { size, source: { from, where: [] } }
}

/** What is left to be asked of the rows of a source. */
export function conditionsOn(source: Source, filter: Filter): RawBuilder<unknown> {
  const { tagKey, ...untagged } = filter
  return sql.join([...conditionsOf(source.byTag === true ? untagged : filter), ...source.where], sql` AND `)
}

/** How many rows of a source the filter leaves, counted no further than one past the bound. */
export async function countUpTo(bound: number, db: Kysely<Database>, source: Source, filter: Filter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM ${source.from} WHERE ${conditionsOn(source, filter)} LIMIT ${bound + 1})`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}
