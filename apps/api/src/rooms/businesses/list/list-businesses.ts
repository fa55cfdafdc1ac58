import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Cursors, type Page, type Position, type Total, toPage } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Database } from '../../../store/database.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { HIDDEN, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import type { BusinessSummary, ListBusinesses } from '../businesses.schema.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { type CountMemory, countInCube, countWithTag, createCountMemory } from './business-counts.ts'
import { type Filter, filterOf } from './business-filter.ts'
import { fetchByScore, type ScoreBounds, scoreBounds } from './list-by-score.ts'
import {
  backgroundPlan,
  conditionsOn,
  countUpTo,
  directPlan,
  type Order,
  orders,
  type Plan,
  SMALL_SET,
  type Source,
} from './list-plan.ts'
import {
  type ActiveScores,
  findActiveScores,
  findWaiting,
  type ScoreColumns,
  toScore,
  withScores,
} from './score-columns.ts'
import { countScored } from './score-filter.ts'

/** Limit of a count without stored counts; beyond it the total is unknown. */
const COUNT_BOUND = 10_000

export type BusinessLister = (actor: UserActor, query: ListBusinesses) => Promise<Page<BusinessSummary>>

/** Limits of the rows that a list gathers and sorts, and of the rows that it counts; tests set them low. */
export type ListBounds = { smallSet: number; counted: number; byScore?: ScoreBounds }

/** Lists active businesses of the actor's tenant, filtered and sorted, by keyset pages. */
export function createBusinessLister(
  store: Store,
  cursors: Cursors,
  { smallSet, counted, byScore = scoreBounds }: ListBounds = { smallSet: SMALL_SET, counted: COUNT_BOUND },
): BusinessLister {
  const remember = createCountMemory(store)
  return async (actor, query) => {
    const { limit, cursor, sort } = query
    const { tenantId } = actor
    const scores = await findActiveScores(store.reader, tenantId)
    const filter = filterOf(actor, query, scores)
    const binding = ['businesses', { ...filter, score: askedOf(query) }, sort]
    const after = cursor === undefined ? undefined : requireScores(cursors.decode(binding, cursor), scores)
    const order = sort === 'score' || sort === '-score' ? undefined : orders[sort]
    // Without scores no record precedes another: the newest first.
    const byColumn = order ?? orders['-createdAt']
    const isByScore = order === undefined && scores !== undefined
    const plan = directPlan(filter, byColumn) ?? (await backgroundPlan(store, filter, byColumn, smallSet))
    const db = plan.way === 'direct' ? store.reader : store.background
    const [rows, total] = await Promise.all([
      isByScore
        ? fetchSorted(
            store,
            { scores, filter, descending: sort === '-score', limit: limit + 1, after, bounds: byScore },
            smallSet,
          )
        : fetchRows(db, { source: plan.source, filter, order: byColumn, limit: limit + 1, after, scores }),
      totalOf(store, remember, filter, plan, counted),
    ])
    const waiting = await waitingOf(store, tenantId, scores, rows)
    const now = store.clock().getTime()
    return toPage({
      rows,
      limit,
      total,
      toItem: (row) => toSummary(actor, row, scores, { isWaiting: waiting.has(row.id), now }),
      cursorAfter: (row) =>
        cursors.encode(binding, [
          scores?.generation ?? 0,
          row.sort_value,
          ...(isByScore ? [row.tie_rank ?? 0] : []),
          row.id,
        ]),
    })
  }
}

/** The score filter in the words of the request: a cursor is for one filter, whichever generation answers it. */
function askedOf({ priority, reachable, eligibility, scoreFrom, scoreTo }: ListBusinesses) {
  return [priority, reachable, eligibility, scoreFrom, scoreTo]
}

/** A list continues with the scores of its first page. Errors: `scores_switched`. */
function requireScores([generation, ...position]: Position, scores: ActiveScores | undefined): Position {
  if (generation === (scores?.generation ?? 0)) return position
  throw new AppError(
    'scores_switched',
    scores === undefined
      ? 'Scores are no longer active. Start the list again.'
      : `Scores now use version ${scores.version}. Start the list again.`,
  )
}

async function waitingOf(
  store: Store,
  tenantId: string,
  scores: ActiveScores | undefined,
  rows: readonly SummaryRow[],
): Promise<Set<string>> {
  if (scores === undefined) return new Set()
  return findWaiting(
    store.reader,
    tenantId,
    scores,
    rows.map(({ id }) => id),
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

/** By score; the other filters decide whether rows are gathered and sorted, or filtered along the order. */
async function fetchSorted(
  store: Store,
  { scores, filter, descending, limit, after, bounds }: Sorted,
  smallSet: number,
): Promise<SummaryRow[]> {
  const { score: _score, ...others } = filter
  const isAlone = Object.keys(others).length === 1
  const plan = isAlone ? undefined : await backgroundPlan(store, others, orders['-createdAt'], smallSet)
  const { reader: db, background } = store
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
  | 'trading_name'
  | 'industry'
  | 'pipeline_state'
  | 'do_not_contact'
  | 'status'
  | 'primary_email'
  | 'primary_phone'
  | 'primary_domain'
  | 'city'
  | 'province'
  | 'province_code'
  | 'tags'
  | 'assignee_id'
  | 'has_evidence'
  | 'created_at'
  | 'updated_at'
> &
  ScoreColumns & { assignee_name: string | null; sort_value: string | number; tie_rank?: number }

/** Of `businesses AS b`, `users AS assignee` and the scores. */
function summaryColumns(scores: ActiveScores | undefined): RawBuilder<unknown> {
  return sql`b.id, b.version, b.name, b.trading_name, b.industry, b.pipeline_state, b.do_not_contact, b.status,
    b.primary_email, b.primary_phone, b.primary_domain, b.city, b.province, b.province_code, b.tags,
    b.assignee_id, assignee.name AS assignee_name, b.has_evidence, b.created_at, b.updated_at, ${withScores(scores).columns}`
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
  const own = [sql.ref(`b.${order.column}`), sql`b.id`] as const
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

/** The size of the matching set if a short count gives it; else null, which is not zero. */
async function totalOf(
  store: Store,
  remember: CountMemory,
  filter: Filter,
  plan: Plan,
  bound: number,
): Promise<Total | null> {
  const count = counterOf(store, filter, plan, bound)
  if (count === undefined) return null
  const { value, at } = await remember(JSON.stringify(filter), count)
  return value > bound && !isCounted(filter) ? null : { value, counts: 'matching_set', asOf: at.toISOString() }
}

/** True if the stored counts are exact for this filter, at any size. */
function isCounted({ terms, nameStart, updatedFrom, updatedTo, tagKey, score, ...cube }: Filter): boolean {
  const beyond = [terms, nameStart, updatedFrom, updatedTo].some((value) => value !== undefined)
  if (score !== undefined) return !beyond && tagKey === undefined && Object.keys(cube).length === 1
  return !beyond && (tagKey === undefined || Object.keys(cube).length === 1)
}

function counterOf(store: Store, filter: Filter, plan: Plan, bound: number): (() => Promise<number>) | undefined {
  const { tenantId, tagKey, score } = filter
  if (isCounted(filter)) {
    if (score !== undefined) return () => countScored(store.reader, score)
    return () =>
      tagKey === undefined ? countInCube(store.reader, filter) : countWithTag(store.reader, tenantId, tagKey)
  }
  const source = plan.way === 'scan' ? plan.counted : plan.source
  return source && (() => countUpTo(bound, store.background, source, filter))
}

/** Contact values of a do-not-contact record are shown only with the permission to see them. */
function toSummary(
  actor: UserActor,
  row: SummaryRow,
  scores: ActiveScores | undefined,
  { isWaiting, now }: { isWaiting: boolean; now: number },
): BusinessSummary {
  const valuesHidden = hidesValuesFrom(actor, { doNotContact: row.do_not_contact === 1 })
  const shown = (value: string | null) => (valuesHidden && value !== null ? HIDDEN : value)
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    tradingName: row.trading_name,
    industry: row.industry,
    pipelineState: row.pipeline_state,
    doNotContact: row.do_not_contact === 1,
    status: row.status,
    primaryEmail: shown(row.primary_email),
    primaryPhone: shown(row.primary_phone),
    primaryDomain: shown(row.primary_domain),
    valuesHidden,
    city: row.city,
    province: row.province,
    provinceCode: row.province_code,
    tags: readTexts(row.tags),
    assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee_name ?? '' },
    hasEvidence: row.has_evidence === 1,
    score: toScore(row, scores, {
      isBlocked: row.do_not_contact === 1,
      isActive: row.status === 'active',
      isWaiting,
      now,
    }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
