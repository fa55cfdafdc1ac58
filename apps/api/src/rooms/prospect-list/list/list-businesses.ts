import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type Cursors,
  exactTotal,
  ifCountedInTime,
  type Page,
  type Position,
  type Total,
  toPage,
} from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { objectOf } from '../../../lib/map-values.ts'
import type { Database } from '../../../store/database.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import {
  type BusinessTable,
  callCountryOf,
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
import { findPeopleToAsk, type PeopleToAsk } from '../../people/people.ts'
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
  holding,
  orders,
  type Plan,
  planOf,
  SMALL_SET,
  type Source,
} from './list-plan.ts'
import { type Segment, segmentsOf } from './list-segments.ts'
import { countRows, gatherFew, readRows, type Wanted } from './read-rows.ts'

export type BusinessLister = (actor: UserActor, query: ListBusinesses) => Promise<Page<BusinessSummary>>

/** Maximum number of rows that a list gathers and sorts, and that it reads along an order before it scans. Tests set them low. */
export type ListBounds = { smallSet: number; walkedFirst?: number; byScore?: ScoreBounds }

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

const defaultBounds: ListBounds = { smallSet: SMALL_SET }

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
  { smallSet, walkedFirst, byScore = scoreBounds }: ListBounds = defaultBounds,
): RecordLister {
  const remember = createCountMemory(store)
  return async (actor, { filter, scores, sort, limit, cursor, binding: asked }) => {
    const { tenantId } = actor
    const binding = [tenantId, ...asked]
    const after = cursor === undefined ? undefined : requireScores(cursors.decode(binding, cursor), scores)
    const isScored = sort === 'score' || sort === '-score'
    const segments = isScored ? undefined : await segmentsOf(store.reader, sort, filter, scores)
    const order = isPlain(sort) ? orders[sort] : undefined
    // Sort newest first if there are no scores, or if the records are deactivated.
    const byColumn = order ?? orders['-createdAt']
    const isByScore = isScored && scores !== undefined && filter.isInactive !== true
    const plan = await planOf(store, filter, byColumn, smallSet)
    const page = { filter, limit: limit + 1, after, columns: summaryColumns(scores), join: joinsOf(scores) }
    const rows = isByScore
      ? await fetchSorted(
          store,
          { scores, filter, descending: sort === '-score', limit: limit + 1, after, bounds: byScore },
          smallSet,
        )
      : segments !== undefined
        ? await fetchSegments(store, page, { segments, plan, smallSet, walkedFirst })
        : await readRows<SummaryRow>(store, plan, { ...page, order: byColumn }, { walkedFirst })
    // A first page that is not full contains the whole list, and a count would search for its rows again. A list by score has no rows for records that
    // wait for their scores, but their number counts.
    const isWhole = after === undefined && rows.length <= limit && !isByScore
    const total = isWhole
      ? exactTotal(rows.length, store.clock().toISOString())
      : await totalOfPage(store, remember, { filter, plan, isFirst: after === undefined })
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
  const withPeople = rows.filter(({ has_person }) => has_person === 1 && actor.permissions.has('people.read'))
  const people = await findPeopleToAsk(
    store.reader,
    actor.tenantId,
    withPeople.map(({ id }) => id),
  )
  const now = store.clock().getTime()
  return (row) =>
    toSummary(row, scores, {
      isWaiting: waiting.has(row.id),
      now,
      review: reviews.get(row.id) ?? unreviewed,
      people: people.get(row.id) ?? { shown: [], further: 0 },
    })
}

export type MatchingCount = { value: number; at: string }
export type MatchingCounter = (filter: Filter) => Promise<MatchingCount>

/** Returns a function that counts the records that match a filter, in the same way as a list of them. */
export function createMatchingCounter(store: Store, smallSet: number = SMALL_SET): MatchingCounter {
  const remember = createCountMemory(store)
  return async (filter) => {
    const plan = await planOf(store, filter, orders['-createdAt'], smallSet)
    const { count, at } = await countOf(store, remember, filter, plan)
    return { value: count, at: at.toISOString() }
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
  const plan = isAlone ? undefined : await backgroundPlan(store, others, smallSet)
  return fetchByScore<SummaryRow>({
    ...{ store, scores, filter, plan, order: { descending }, limit, after, bounds },
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
  | 'has_person'
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
    b.postal_code, b.country, b.tags, b.assignee_id, assignee.name AS assignee_name, b.evidence_count, b.has_person, b.created_at, b.updated_at,
    b.last_interaction_at, b.follow_up_on, ${withScores(scores).columns}`
}

const joinsOf = (scores: ActiveScores | undefined) =>
  sql`${withScores(scores).join} LEFT JOIN users AS assignee ON assignee.id = b.assignee_id`

type InSegments = { segments: readonly Segment[]; plan: Plan; smallSet: number; walkedFirst: number | undefined }

/** Number of segments from which a list first searches for all matching rows, because each segment without matches would need a scan of its own. */
const MANY_SEGMENTS = 3

/** Reads rows of one segment after the other, beginning with the segment of the cursor, until the page is full. */
async function fetchSegments(
  store: Store,
  page: Omit<Wanted, 'order'>,
  { segments, plan, smallSet, walkedFirst }: InSegments,
): Promise<SummaryRow[]> {
  const { filter, limit, after } = page
  const key = after?.at(-1)
  const first = Math.max(
    0,
    segments.findIndex((one) => one.key === key),
  )
  const isScan = plan.way === 'scan' && segments.length >= MANY_SEGMENTS
  const shared = isScan ? await gatherFew(store, filter, smallSet) : plan
  const rows: SummaryRow[] = []
  for (const [index, { key: segment, part, order }] of segments.slice(first).entries()) {
    const left = limit - rows.length
    if (left <= 0) break
    const within = { ...filter, ...part }
    const own = shared.way === 'gather' ? shared : await planOf(store, within, order, smallSet)
    const wanted = { ...page, filter: within, order, limit: left, after: index === 0 ? after : undefined }
    const found = await readRows<SummaryRow>(store, own, wanted, { walkedFirst })
    rows.push(...found.map((row) => ({ ...row, segment })))
  }
  return rows
}

type CountedNow = { count: number; at: Date }

/** Returns the exact number of records that match a filter. */
function countOf(store: Store, remember: CountMemory, filter: Filter, plan: Plan): Promise<CountedNow> {
  return remember(JSON.stringify(filter), counterOf(store, filter, plan))
}

type CountedPage = { filter: Filter; plan: Plan; isFirst: boolean }

/** Returns the total of a page. A stored count is the total of every page; other lists are counted for their first page only. */
async function totalOfPage(
  store: Store,
  remember: CountMemory,
  { filter, plan, isFirst }: CountedPage,
): Promise<Total | null> {
  if (!isFirst && !isCounted(filter)) return null
  const found = await ifCountedInTime(countOf(store, remember, filter, plan))
  return found && exactTotal(found.count, found.at.toISOString())
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

function counterOf(store: Store, filter: Filter, plan: Plan): () => Promise<number> {
  const { tenantId, tagKey, score, review } = filter
  const { reader } = store
  if (!isCounted(filter)) return () => countRows(store, plan, filter)
  if (review !== undefined) return () => countReviewed(reader, review, filter)
  if (score !== undefined) return () => countScored(reader, score)
  return () => (tagKey === undefined ? countInCube(reader, filter) : countWithTag(reader, tenantId, tagKey))
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
  { isWaiting, now, review, people }: { isWaiting: boolean; now: number; review: ReviewSummary; people: PeopleToAsk },
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
    people: people.shown,
    furtherPeople: people.further,
    score: toScore(row, scores, {
      isBlocked: row.do_not_contact === 1,
      isActive: row.status === 'active',
      isWaiting,
      now,
    }),
    review,
    lastInteractionAt: row.last_interaction_at,
    callCountry: callCountryOf(row),
    followUpOn: row.follow_up_on,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Returns true if an active record matches a filter. */
export async function isMatching(db: Kysely<Database>, filter: Filter, id: string): Promise<boolean> {
  const plain: Source = { from: sql`businesses AS b`, where: [sql`b.id = ${id}`] }
  const source = filter.terms === undefined ? plain : holding(plain, filter.terms)
  const { rows } = await sql`SELECT 1 FROM ${source.from} WHERE ${conditionsOn(source, filter)} LIMIT 1`.execute(db)
  return rows.length === 1
}

/** Returns the ids of the records that match a filter, oldest first, at most `limit`. */
export async function selectMatchingIds(store: Store, filter: Filter, limit: number): Promise<string[]> {
  const order = orders.createdAt
  const plan = await planOf(store, filter, order, SMALL_SET)
  const wanted = { filter, order, limit, after: undefined, columns: sql`b.id`, join: sql`` }
  return (await readRows<{ id: string }>(store, plan, wanted, { isLarge: true })).map(({ id }) => id)
}
