import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type Cursors,
  exactTotal,
  ifCountedInTime,
  MAX_COUNTED,
  MAX_WALKED,
  type Page,
  type Position,
  type Total,
  toPage,
  totalOfCount,
} from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { objectOf } from '../../../lib/map-values.ts'
import type { Database } from '../../../store/database.ts'
import type { Count } from '../../../store/engine/count-up-to.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import {
  type BusinessTable,
  columnOf,
  countInCube,
  countWithTag,
  isNameKnown,
  type ListedColumn,
  type ListedFact,
  listedFacts,
  placeDoubtsOf,
  tagKey,
  textFilterNames,
} from '../../businesses/businesses.ts'
import {
  countInReview,
  findReviewSummaries,
  type ReviewFilter,
  type ReviewSummary,
  unreviewed,
} from '../../review-decisions/review-decisions.ts'
import {
  type ActiveScores,
  countScored,
  findActiveScores,
  findWaiting,
  type ScoreColumns,
  toScore,
  withScores,
} from '../../scoring/scoring.ts'
import type { Filter } from '../conditions/business-filter.ts'
import { compileConditions } from '../conditions/compile-conditions.ts'
import type { Condition } from '../conditions/conditions.schema.ts'
import { conditionsOfQuery } from '../conditions/query-conditions.ts'
import type { BusinessSummary, ListBusinesses, Sort } from '../prospect-list.schema.ts'
import { type CountMemory, createCountMemory } from './count-memory.ts'
import { fetchByScore, type ScoreBounds, scoreBounds } from './list-by-score.ts'
import {
  backgroundPlan,
  conditionsOn,
  countFound,
  countMatching,
  countWalked,
  directPlan,
  holding,
  type Order,
  orders,
  type Plan,
  SMALL_SET,
  type Source,
} from './list-plan.ts'
import { type Segment, segmentsOf } from './list-segments.ts'

export type BusinessLister = (actor: UserActor, query: ListBusinesses) => Promise<Page<BusinessSummary>>

/** Maximum number of rows that a list gathers and sorts, that it counts, and that a count reads. Tests set them low. */
export type ListBounds = { smallSet: number; counted: number; walked?: number; byScore?: ScoreBounds }

/** A requested list of records, defined by query parameters or by the conditions of a predicate. */
export type WantedRecords = {
  filter: Filter
  scores: ActiveScores | undefined
  sort: Sort
  limit: number
  cursor?: string | undefined
  /** values, in addition to the tenant, that the list's cursors are bound to */
  binding: readonly unknown[]
}

export type RecordLister = (actor: UserActor, wanted: WantedRecords) => Promise<Page<BusinessSummary>>

const defaultBounds: ListBounds = { smallSet: SMALL_SET, counted: MAX_COUNTED }

/** Returns a function that lists the businesses of the actor's tenant that the parameters and conditions of a query select, by keyset pages. */
export function createBusinessLister(
  store: Store,
  cursors: Cursors,
  bounds: ListBounds = defaultBounds,
): BusinessLister {
  const list = createRecordLister(store, cursors, bounds)
  return async (actor, query) => {
    const { limit, cursor, sort } = query
    const conditions = conditionsOfQuery(query)
    const scores = await findActiveScores(store.reader, actor.tenantId)
    const { filter } = await compileConditions(store, actor, conditions, { scores, now: store.clock() })
    return list(actor, { filter, scores, sort, limit, cursor, binding: ['businesses', conditions.map(bound), sort] })
  }
}

/** Returns a condition as cursors are bound to it: the letter case of a tag is irrelevant. */
function bound(condition: Condition): Condition {
  return condition.field === 'tag' ? { ...condition, values: condition.values.map(tagKey) } : condition
}

/** Returns a function that lists the records of a compiled filter. */
export function createRecordLister(
  store: Store,
  cursors: Cursors,
  { smallSet, counted, walked = MAX_WALKED, byScore = scoreBounds }: ListBounds = defaultBounds,
): RecordLister {
  const remember = createCountMemory(store)
  return async (actor, { filter, scores, sort, limit, cursor, binding: asked }) => {
    const { tenantId } = actor
    const binding = [tenantId, ...asked]
    const after = cursor === undefined ? undefined : requireScores(cursors.decode(binding, cursor), scores)
    const isScored = sort === 'score' || sort === '-score'
    const segments = isScored ? undefined : await segmentsOf(store.reader, sort, filter)
    const order = isPlain(sort) ? orders[sort] : undefined
    // Sort newest first if there are no scores, or if the records are deactivated.
    const byColumn = order ?? orders['-createdAt']
    const isByScore = isScored && scores !== undefined && filter.isInactive !== true
    const plan = directPlan(filter, byColumn) ?? (await backgroundPlan(store, filter, byColumn, smallSet))
    const db = plan.way === 'direct' ? store.reader : store.backgroundOf(tenantId)
    const rows = isByScore
      ? await fetchSorted(
          store,
          { scores, filter, descending: sort === '-score', limit: limit + 1, after, bounds: byScore },
          smallSet,
        )
      : segments !== undefined
        ? await fetchSegments(store, { segments, filter, limit: limit + 1, after, scores, smallSet })
        : await fetchRows(db, { source: plan.source, filter, order: byColumn, limit: limit + 1, after, scores })
    // A scan that found fewer rows than a page has read every row, and a count would read them all again. A list by score has no rows for records that
    // wait for their scores, but their number counts.
    const isWhole = after === undefined && rows.length <= limit && !isByScore
    const total = isWhole
      ? exactTotal(rows.length, store.clock().toISOString())
      : await totalOfPage(store, remember, { filter, plan, bound: counted, walked, isFirst: after === undefined })
    return toPage({
      rows,
      limit,
      total,
      toItem: await summarizer(store, actor, rows, scores),
      cursorAfter: (row) =>
        cursors.encode(binding, [
          scores?.generation ?? 0,
          row.sort_value,
          ...(isByScore ? [row.tie_rank ?? 0] : []),
          row.id,
          ...(row.segment === undefined ? [] : [row.segment]),
        ]),
    })
  }
}

/** Returns one record as a list shows it to this actor now. Errors: `not_found`. */
export async function getSummary(store: Store, actor: UserActor, id: string): Promise<BusinessSummary> {
  const { reader } = store
  const scores = await findActiveScores(reader, actor.tenantId)
  const { rows } = await sql<SummaryRow>`
    SELECT ${summaryColumns(scores)}
    FROM businesses AS b ${withScores(scores).join} LEFT JOIN users AS assignee ON assignee.id = b.assignee_id
    WHERE b.tenant_id = ${actor.tenantId} AND b.id = ${id}`.execute(reader)
  const [row] = rows
  if (row === undefined) throw notFound()
  return (await summarizer(store, actor, rows, scores))(row)
}

/** Returns a function that converts these rows to summaries for this actor. */
async function summarizer(
  store: Store,
  actor: UserActor,
  rows: readonly SummaryRow[],
  scores: ActiveScores | undefined,
): Promise<(row: SummaryRow) => BusinessSummary> {
  const ids = rows.map(({ id }) => id)
  const waiting = scores === undefined ? new Set() : await findWaiting(store.reader, actor.tenantId, scores, ids)
  const reviews = await findReviewSummaries(store.reader, actor.tenantId, ids)
  const now = store.clock().getTime()
  return (row) =>
    toSummary(row, scores, { isWaiting: waiting.has(row.id), now, review: reviews.get(row.id) ?? unreviewed })
}

export type MatchingCount = { value: number; isExact: boolean; at: string }
export type MatchingCounter = (filter: Filter) => Promise<MatchingCount>

/**
 * Returns a function that counts the records that match a filter, in the same way as a list of them. If there are more records than the limit, the
 * value is the limit and is marked as not exact. The same applies to the number found until the count had read too many records.
 */
export function createMatchingCounter(
  store: Store,
  { smallSet, counted, walked = MAX_WALKED }: Omit<ListBounds, 'byScore'> = defaultBounds,
): MatchingCounter {
  const remember = createCountMemory(store)
  const order = orders['-createdAt']
  return async (filter) => {
    const plan = directPlan(filter, order) ?? (await backgroundPlan(store, filter, order, smallSet))
    const { count, isWhole, at } = await countOf(store, remember, { filter, plan, bound: counted, walked })
    const isExact = isWhole && (isCounted(filter) || count <= counted)
    return { value: isExact ? count : Math.min(count, counted), isExact, at: at.toISOString() }
  }
}

const isPlain = (sort: Sort): sort is keyof typeof orders => sort in orders

/** Requires that the active scores are those of the list's first page, because a list must not mix two generations. Errors: `scores_switched`. */
function requireScores([generation, ...position]: Position, scores: ActiveScores | undefined): Position {
  if (generation === (scores?.generation ?? 0)) return position
  throw new AppError(
    'scores_switched',
    scores === undefined
      ? 'Scores are no longer active. Start the list again.'
      : `Scores now use version ${scores.version}. Start the list again.`,
  )
}

type Sorted = {
  scores: ActiveScores
  filter: Filter
  descending: boolean
  limit: number
  after: Position | undefined
  bounds: ScoreBounds
}

/** Reads rows in the order of scores. The other filters decide whether rows are gathered and sorted, or filtered while scanning the order. */
async function fetchSorted(
  store: Store,
  { scores, filter, descending, limit, after, bounds }: Sorted,
  smallSet: number,
): Promise<SummaryRow[]> {
  const { score: _score, ...others } = filter
  const isAlone = Object.keys(others).length === 1
  const plan = isAlone ? undefined : await backgroundPlan(store, others, orders['-createdAt'], smallSet)
  const { reader: db } = store
  const background = store.backgroundOf(filter.tenantId)
  return fetchByScore<SummaryRow>({
    ...{ db, background, scores, filter, plan, size: plan?.size, order: { descending }, limit, after, bounds },
    columns: summaryColumns(scores),
  })
}

type SummaryRow = Pick<
  BusinessTable,
  | 'id'
  | 'version'
  | 'name'
  | ListedColumn
  | 'name_stands_in'
  | 'pipeline_state'
  | 'do_not_contact'
  | 'status'
  | 'primary_email'
  | 'primary_phone'
  | 'primary_phone_normalized'
  | 'primary_domain'
  | 'street'
  | 'city'
  | 'province'
  | 'postal_code'
  | 'country'
  | 'province_code'
  | 'tags'
  | 'assignee_id'
  | 'evidence_count'
  | 'created_at'
  | 'updated_at'
  | 'last_interaction_at'
  | 'follow_up_on'
> &
  ScoreColumns & { assignee_name: string | null; sort_value: string | number; tie_rank?: number; segment?: string }

const listed = sql.join(listedFacts.map((field) => sql.ref(`b.${columnOf(field)}`)))

/** Returns the columns of a list row, from `businesses AS b`, `users AS assignee` and the scores. */
function summaryColumns(scores: ActiveScores | undefined): RawBuilder<unknown> {
  return sql`b.id, b.version, b.name, ${listed}, b.name_stands_in, b.pipeline_state, b.do_not_contact, b.status,
    b.primary_email, b.primary_phone, b.primary_phone_normalized, b.primary_domain, b.street, b.city, b.province, b.province_code,
    b.postal_code, b.country, b.tags, b.assignee_id, assignee.name AS assignee_name, b.evidence_count, b.created_at, b.updated_at,
    b.last_interaction_at, b.follow_up_on, ${withScores(scores).columns}`
}

type Fetched = {
  source: Source
  filter: Filter
  order: Order
  limit: number
  after: Position | undefined
  scores: ActiveScores | undefined
}

async function fetchRows(
  db: Kysely<Database>,
  { source, filter, order, limit, after, scores }: Fetched,
): Promise<SummaryRow[]> {
  // The index on cities contains the expression `lower(city)`.
  const ordered = order.column === 'city' ? sql`lower(b.city)` : sql.ref(`b.${order.column}`)
  const own = [ordered, sql`b.id`] as const
  const [column, id] = (order.column === 'updated_at' ? source.change : undefined) ?? own
  const direction = sql.raw(order.descending ? 'DESC' : 'ASC')
  const beyond = sql.raw(order.descending ? '<' : '>')
  const keyset = after === undefined ? sql`` : sql`AND (${column}, ${id}) ${beyond} (${after[0]}, ${after[1]})`
  const { rows } = await sql<SummaryRow>`
    SELECT ${summaryColumns(scores)}, ${column} AS sort_value
    FROM ${source.from} ${withScores(scores).join} LEFT JOIN users AS assignee ON assignee.id = b.assignee_id
    WHERE ${conditionsOn(source, filter)} ${keyset}
    ORDER BY ${column} ${direction}, ${id} ${direction} LIMIT ${limit}`.execute(db)
  return rows
}

type InSegments = Omit<Fetched, 'source' | 'order'> & { segments: readonly Segment[]; smallSet: number }

/** Reads rows of one segment after the other, beginning with the segment of the cursor, until the page is full. */
async function fetchSegments(
  store: Store,
  { segments, filter, limit, after, scores, smallSet }: InSegments,
): Promise<SummaryRow[]> {
  const key = after?.at(-1)
  const first = Math.max(
    0,
    segments.findIndex((one) => one.key === key),
  )
  const rows: SummaryRow[] = []
  for (const [index, segment] of segments.slice(first).entries()) {
    const left = limit - rows.length
    if (left <= 0) break
    const within = { ...filter, ...segment.part }
    const { order } = segment
    const plan = directPlan(within, order) ?? (await backgroundPlan(store, within, order, smallSet))
    const found = await fetchRows(plan.way === 'direct' ? store.reader : store.backgroundOf(filter.tenantId), {
      source: plan.source,
      filter: within,
      order,
      limit: left,
      after: index === 0 ? after : undefined,
      scores,
    })
    rows.push(...found.map((row) => ({ ...row, segment: segment.key })))
  }
  return rows
}

type Counted = { filter: Filter; plan: Plan; bound: number; walked: number }

/** Returns the size of the matching set, up to the limit unless a stored count states it. */
function countOf(store: Store, remember: CountMemory, counted: Counted): Promise<Count & { at: Date }> {
  return remember(JSON.stringify(counted.filter), counterOf(store, counted))
}

/** Returns the total of a page. A stored count is the total of every page; other lists are counted for their first page only. */
async function totalOfPage(
  store: Store,
  remember: CountMemory,
  { isFirst, ...counted }: Counted & { isFirst: boolean },
): Promise<Total | null> {
  const isStored = isCounted(counted.filter)
  if (!isFirst && !isStored) return null
  const found = await ifCountedInTime(countOf(store, remember, counted))
  if (found === null) return null
  const asOf = found.at.toISOString()
  return isStored ? exactTotal(found.count, asOf) : totalOfCount(found, asOf, counted.bound)
}

/** Returns true if the stored counts are exact for this filter, whatever the number of records. */
function isCounted({
  isInactive,
  terms,
  nameStart,
  updatedFrom,
  updatedTo,
  tagKey,
  score,
  review,
  further,
  followUp,
  numbers,
  createdFrom,
  createdTo,
  ...cube
}: Filter): boolean {
  const texts = textFilterNames.map((field) => cube[field])
  const beyond = [
    ...[isInactive, terms, nameStart, updatedFrom, updatedTo, further],
    ...[followUp, numbers, createdFrom, createdTo, ...texts],
  ].some((value) => value !== undefined)
  const { doNotContact: _doNotContact, ...others } = cube
  if (review !== undefined)
    return !beyond && score === undefined && tagKey === undefined && Object.keys(others).length === 1
  if (score !== undefined) return !beyond && tagKey === undefined && Object.keys(cube).length === 1
  return !beyond && (tagKey === undefined || Object.keys(cube).length === 1)
}

function counterOf(store: Store, { filter, plan, bound, walked }: Counted): () => Promise<Count> {
  const { tenantId, tagKey, score, review, isInactive } = filter
  const { reader } = store
  const background = store.backgroundOf(tenantId)
  const whole = async (counting: Promise<number>): Promise<Count> => ({ count: await counting, isWhole: true })
  if (isCounted(filter)) {
    if (review !== undefined) return () => whole(countReviewed(reader, review, filter))
    if (score !== undefined) return () => whole(countScored(reader, score))
    return () => whole(tagKey === undefined ? countInCube(reader, filter) : countWithTag(reader, tenantId, tagKey))
  }
  const walk = (source: Source) => countWalked({ limit: bound, maxWalked: walked }, background, source, filter)
  // No count states the number of deactivated records.
  if (isInactive === true && plan.way === 'gather') return () => walk(plan.source)
  const source = plan.way === 'scan' ? plan.counted : plan.source
  if (source !== undefined) return () => whole(countMatching(bound, background, source, filter))
  return async () => {
    const count = await countFound(store, filter, bound)
    return count === undefined ? walk(plan.walked ?? plan.source) : { count, isWhole: true }
  }
}

async function countReviewed(
  db: Kysely<Database>,
  review: ReviewFilter,
  { tenantId, doNotContact }: Filter,
): Promise<number> {
  const cell = { tenantId, ...(doNotContact === undefined ? {} : { doNotContact }) }
  const count = await countInReview(db, review, cell)
  // Records without a review row are unreviewed. The number of due or unreviewed records is therefore the total minus the counted rows.
  return review === 'due' || review === 'unreviewed' ? (await countInCube(db, cell)) - count : count
}

/** Converts a row to a summary. Its schema marks the contact values. */
function toSummary(
  row: SummaryRow,
  scores: ActiveScores | undefined,
  { isWaiting, now, review }: { isWaiting: boolean; now: number; review: ReviewSummary },
): BusinessSummary {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    isNameKnown: isNameKnown(row),
    ...objectOf<Pick<BusinessSummary, ListedFact>>(listedFacts, (field) => row[columnOf(field)]),
    pipelineState: row.pipeline_state,
    doNotContact: row.do_not_contact === 1,
    status: row.status,
    primaryEmail: row.primary_email,
    primaryPhone: row.primary_phone,
    primaryPhoneNormalized: row.primary_phone_normalized,
    primaryDomain: row.primary_domain,
    valuesHidden: false,
    city: row.city,
    province: row.province,
    provinceCode: row.province_code,
    placeDoubts: placeDoubtsOf(row),
    tags: readTexts(row.tags),
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    hasEvidence: row.evidence_count > 0,
    evidenceCount: row.evidence_count,
    score: toScore(row, scores, {
      isBlocked: row.do_not_contact === 1,
      isActive: row.status === 'active',
      isWaiting,
      now,
    }),
    review,
    lastInteractionAt: row.last_interaction_at,
    followUpOn: row.follow_up_on,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Returns true if an active record matches a filter. */
export async function isMatching(db: Kysely<Database>, filter: Filter, id: string): Promise<boolean> {
  const plain: Source = { from: sql`businesses AS b`, where: [sql`b.id = ${id}`] }
  const source = filter.terms === undefined ? plain : holding(plain, filter.terms)
  return (await countMatching(1, db, source, filter)) === 1
}

/** Returns the ids of the records that match a filter, oldest first, at most `limit`. */
export async function selectMatchingIds(store: Store, filter: Filter, limit: number): Promise<string[]> {
  const plan =
    directPlan(filter, orders.createdAt) ?? (await backgroundPlan(store, filter, orders.createdAt, SMALL_SET))
  const { rows } = await sql<{ id: string }>`
    SELECT b.id FROM ${plan.source.from} WHERE ${conditionsOn(plan.source, filter)} ORDER BY b.id LIMIT ${limit}`.execute(
    store.backgroundOf(filter.tenantId),
  )
  return rows.map(({ id }) => id)
}
