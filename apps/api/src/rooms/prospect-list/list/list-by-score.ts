import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Position } from '../../../http/pagination.ts'
import { BLOCKED, NO_RANK } from '../../../lib/score-codes.ts'
import type { Database } from '../../../store/database.ts'
import { thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import {
  type ActiveScores,
  countByEligibility,
  type ScoreFilter,
  scoreParts,
  withScores,
} from '../../scoring/scoring.ts'
import type { Filter } from '../conditions/business-filter.ts'
import { conditionsOn, holding, type Plan, type Source } from './list-plan.ts'
import { scannedRows } from './read-rows.ts'

/*
 * Lists in the order of scores. `score_order` stores a separate order for each eligibility; a list merges a few of these ranges, each with a limit.
 * The SQL is for SQLite only, as in list-plan.ts.
 */

/** Thresholds, in rows, that select the method of a list by score. Tests set them low. */
export type ScoreBounds = {
  /** Rows that are read along the order before the matching rows are gathered and sorted. Reading them takes some 15 ms. */
  walkedFirst: number
}
export const scoreBounds: ScoreBounds = { walkedFirst: 10_000 }

/** Returns the values of `reviewed` to read: 1 means that a review exists and is not due. Due records all have 0. */
const reviewedRanges = ({ filter: { review } }: Pick<ByScore, 'filter'>) => (review === 'due' ? [0] : [0, 1])

export type ScoreOrder = { descending: boolean }

export type ByScore = {
  store: Store
  scores: ActiveScores
  filter: Filter
  /** the plan of the filter without scores */
  plan: Plan | undefined
  order: ScoreOrder
  limit: number
  after: Position | undefined
  columns: RawBuilder<unknown>
  bounds: ScoreBounds
}

type Part = { eligibility: number }

/** Returns rows of the list, best or worst score first, with the columns, and with `rank` and `tie_rank` for the cursor. */
export async function fetchByScore<Row>(wanted: ByScore): Promise<Row[]> {
  const { scores, filter, plan } = wanted
  const { score = { tenant: scores.tenant, generation: scores.generation } } = filter
  const parts = (await countByEligibility(wanted.store.reader, score)).map(({ eligibility }) => ({ eligibility }))
  const { tenantId, score: _score, ...others } = filter
  const isAlone = Object.keys(others).length === 0
  if (parts.length === 0) return []
  if (isAlone) return walk<Row>(wanted, score, parts)
  if (isNearlyAll(others)) {
    // Blocked records are stored in ranges of their own, so skipping these ranges applies the filter.
    const open = others.doNotContact === false ? parts.filter(({ eligibility }) => eligibility !== BLOCKED) : parts
    return walk<Row>(wanted, score, open)
  }
  if (plan === undefined || plan.way === 'gather') return gather<Row>(wanted, score, plan?.source)
  // If the first rows of the order do not fill a page, few records match.
  const tried = await walkSome<Row>(wanted, score, parts)
  return tried ?? gather<Row>(wanted, score, await scannedRows(wanted.store, { tenantId, ...others }))
}

/**
 * Returns true if nearly every record of the ranges matches, so that a scan fills a page at once. The review queue requests such records: due and not
 * blocked.
 */
function isNearlyAll({ review, doNotContact, ...others }: Omit<Filter, 'tenantId' | 'score'>): boolean {
  return (review === undefined || review === 'due') && doNotContact !== true && Object.keys(others).length === 0
}

/** Builds the ORDER BY. Best first is ascending rank. Worst first is descending rank, with unranked records at the end. */
function orderOf({ descending }: ScoreOrder, table: string): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const [rank, tie, id] = [column('rank'), column('tie_rank'), column('business_id')]
  return descending
    ? sql`${rank}, ${tie}, ${id}`
    : sql`${rank} = ${sql.lit(NO_RANK)}, ${rank} DESC, ${tie} DESC, ${id} DESC`
}

/**
 * Builds the condition for the rows after the cursor, in a range whose records either all have a rank or all have none. Returns undefined if the
 * range has no such rows.
 */
function keyset({ order: { descending }, after }: ByScore, isRanked: boolean): RawBuilder<unknown> | undefined {
  if (after === undefined) return sql`1 = 1`
  const [rank = 0, tie = 0, id = ''] = after
  const isCursorRanked = rank !== NO_RANK
  if (isCursorRanked !== isRanked) return isRanked ? undefined : sql`1 = 1`
  const beyond = sql.raw(descending ? '>' : '<')
  return sql`(o.rank, o.tie_rank, o.business_id) ${beyond} (${rank}, ${tie}, ${id})`
}

/** Builds the query of one range of `score_order AS o`, with the conditions of the score filter. */
function rangeOf(
  wanted: ByScore,
  score: ScoreFilter,
  { eligibility }: Part,
  reviewed: number,
): RawBuilder<unknown> | undefined {
  const isRanked = eligibility < BLOCKED
  const beyond = keyset(wanted, isRanked)
  if (beyond === undefined) return undefined
  const { from, to, ...others } = score
  const bounds = [
    ...(from === undefined ? [] : [sql`o.rank <= ${100 - from}`]),
    ...(to === undefined ? [] : [sql`o.rank BETWEEN ${100 - to} AND 100`]),
  ]
  const parts = [...scoreParts({ ...others, eligibility }, 'o', sql`o.rank`), ...bounds]
  return sql`o.tenant = ${score.tenant} AND o.generation = ${score.generation} AND o.reviewed = ${sql.lit(reviewed)}
    AND ${sql.join(parts, sql` AND `)} AND ${beyond}`
}

function rangesOf(wanted: ByScore, score: ScoreFilter, parts: readonly Part[]): RawBuilder<unknown>[] {
  return parts.flatMap((part) =>
    reviewedRanges(wanted).flatMap((reviewed) => {
      const range = rangeOf(wanted, score, part, reviewed)
      return range === undefined ? [] : [range]
    }),
  )
}

/** Selects some columns of a range in its order, up to the size of a page. */
function limited(
  wanted: ByScore,
  range: RawBuilder<unknown>,
  limit: number,
  join: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
) {
  const { order } = wanted
  const direction = sql.raw(order.descending ? 'ASC' : 'DESC')
  return sql`SELECT * FROM (
    SELECT o.business_id, o.rank, o.tie_rank FROM score_order AS o ${join}
    WHERE ${range} AND ${where}
    ORDER BY o.rank ${direction}, o.tie_rank ${direction}, o.business_id ${direction}
    LIMIT ${limit})`
}

const ALWAYS = sql`1 = 1`

/** Returns the FROM clause for `businesses AS b`, joined with its search text if terms are searched, and the conditions. */
function recordsOf(filter: Filter): { from: RawBuilder<unknown>; where: RawBuilder<unknown> } {
  const source = filter.terms === undefined ? noSource : holding(noSource, filter.terms)
  return { from: source.from, where: conditionsOn(source, filter) }
}

/** Joins the found rows of a page to their records. */
async function fetchPage<Row>(
  wanted: ByScore,
  db: Kysely<Database>,
  found: RawBuilder<unknown>,
  { from, where }: { from: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<Row[]> {
  const { scores, filter, columns, order, limit } = wanted
  const { rows } = await sql<Row>`
    SELECT ${columns}, o.rank AS sort_value, o.tie_rank
    FROM (${found}) AS o ${thenJoin} ${from} ${withScores(scores).join} LEFT JOIN users AS assignee ON assignee.id = b.assignee_id
    WHERE b.tenant_id = ${filter.tenantId} AND b.id = o.business_id AND ${where} ORDER BY ${orderOf(order, 'o')} LIMIT ${limit}`.execute(
    db,
  )
  return rows
}

/** Reads each range until a page is full. For filters that nearly every record of the ranges meets. */
async function walk<Row>(wanted: ByScore, score: ScoreFilter, parts: readonly Part[]): Promise<Row[]> {
  const { filter, limit } = wanted
  const ranges = rangesOf(wanted, score, parts)
  if (ranges.length === 0) return []
  const { score: _score, ...others } = filter
  const isAlone = Object.keys(others).length === 1
  const asked = recordsOf(others)
  const join = isAlone ? sql`` : sql`${thenJoin} ${asked.from}`
  const where = isAlone ? ALWAYS : sql`b.tenant_id = ${filter.tenantId} AND b.id = o.business_id AND ${asked.where}`
  const found = sql.join(
    ranges.map((range) => limited(wanted, range, limit, join, where)),
    sql` UNION ALL `,
  )
  return fetchPage<Row>(wanted, wanted.store.reader, found, { from: noSource.from, where: sql`b.status = 'active'` })
}

/** Scans a limited number of rows of the merged order. Returns undefined if they do not fill the page. */
async function walkSome<Row>(wanted: ByScore, score: ScoreFilter, parts: readonly Part[]): Promise<Row[] | undefined> {
  const { filter, limit, order, store, bounds } = wanted
  const ranges = rangesOf(wanted, score, parts)
  if (ranges.length === 0) return []
  const { score: _score, ...others } = filter
  const merged = sql.join(
    ranges.map((range) => limited(wanted, range, bounds.walkedFirst, sql``, ALWAYS)),
    sql` UNION ALL `,
  )
  const found = sql`SELECT * FROM (${merged}) AS o ORDER BY ${orderOf(order, 'o')} LIMIT ${bounds.walkedFirst}`
  const rows = await fetchPage<Row>(wanted, store.backgroundOf(filter.tenantId), found, recordsOf(others))
  return rows.length >= limit ? rows : undefined
}

/** Reads the rows that match the other filters, with their scores, and sorts them. */
async function gather<Row>(wanted: ByScore, score: ScoreFilter, source: Source = noSource): Promise<Row[]> {
  const { filter, columns, order, limit, after, store } = wanted
  const { tenant, generation } = score
  const { score: _score, ...others } = filter
  const rank = sql`CASE WHEN sc.low < 0 THEN ${sql.lit(NO_RANK)} ELSE 100 - sc.low END`
  const beyond = gatheredKeyset(after, order)
  const { rows } = await sql<Row>`
    SELECT * FROM (
      SELECT ${columns}, ${rank} AS sort_value, -sc.tie AS tie_rank, ${rank} AS rank, b.id AS business_id
      FROM ${source.from} ${thenJoin} scores AS sc ON sc.tenant = ${tenant} AND sc.generation = ${generation} AND sc.business_id = b.id
        LEFT JOIN users AS assignee ON assignee.id = b.assignee_id
      WHERE ${conditionsOn(source, others)} AND ${sql.join(scoreParts(score, 'sc', sql`sc.low`), sql` AND `)}
    ) AS o WHERE ${beyond} ORDER BY ${orderOf(order, 'o')} LIMIT ${limit}`.execute(store.backgroundOf(filter.tenantId))
  return rows
}

function gatheredKeyset(after: Position | undefined, { descending }: ScoreOrder): RawBuilder<unknown> {
  if (after === undefined) return ALWAYS
  const [rank = 0, tie = 0, id = ''] = after
  if (descending) return sql`(o.rank, o.tie_rank, o.business_id) > (${rank}, ${tie}, ${id})`
  const place = rank === NO_RANK ? 1 : 0
  return sql`(o.rank = ${sql.lit(NO_RANK)} > ${place} OR (o.rank = ${sql.lit(NO_RANK)} = ${place} AND (o.rank, o.tie_rank, o.business_id) < (${rank}, ${tie}, ${id})))`
}

const noSource: Source = { from: sql`businesses AS b`, where: [] }
