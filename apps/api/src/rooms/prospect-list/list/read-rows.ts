import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Position } from '../../../http/pagination.ts'
import type { Database } from '../../../store/database.ts'
import { alongIndex, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { findByText, type SearchTerm, textScopeOf } from '../../businesses/businesses.ts'
import { conditionsOf, type Filter } from '../conditions/business-filter.ts'
import {
  conditionsOn,
  fewOf,
  holding,
  inOrder,
  type Order,
  type Plan,
  type Source,
  scanned,
  withoutTag,
} from './list-plan.ts'

/*
 * Reads and counts the rows of a filter. If many records match, reading along the order fills a page at once. If few match, one scan of the index of
 * all filterable values (`businesses_listed`) finds them: it reads no row of the table, and takes some 100 ms for a million records.
 */

/** Rows that are read along an order before the scan. Reading them takes some milliseconds. */
const WALKED_FIRST = 2_000

/** Wanted rows: `columns` of `businesses AS b` and of the tables in `join`. */
export type Wanted = {
  filter: Filter
  order: Order
  limit: number
  after: Position | undefined
  columns: RawBuilder<unknown>
  join: RawBuilder<unknown>
}

type Sorted = { column: RawBuilder<unknown>; id: RawBuilder<unknown>; orderBy: RawBuilder<unknown> }

/** `walkedFirst`: set low by tests. `isLarge`: the rows are more than a page, so the event loop must not read them. */
export type HowToRead = { walkedFirst?: number | undefined; isLarge?: boolean }

/** Returns rows in an order with the columns, and with `sort_value` for the cursor. */
export async function readRows<Row>(
  store: Store,
  plan: Plan,
  wanted: Wanted,
  { walkedFirst = WALKED_FIRST, isLarge = false }: HowToRead = {},
): Promise<Row[]> {
  const { filter, limit } = wanted
  const background = store.backgroundOf(filter.tenantId)
  const quick = isLarge ? background : store.reader
  if (plan.way !== 'scan') return readAlong<Row>(plan.way === 'direct' ? quick : background, plan.source, wanted)
  const db = isLongWalk(wanted) ? background : quick
  const end = await endOfWalk(db, wanted, walkedFirst)
  const rows = await readAlong<Row>(db, inOrderWithText(wanted), wanted, end)
  return rows.length >= limit || end === undefined ? rows : scanRows<Row>(store, wanted)
}

/** Returns the exact number of records that match. */
export async function countRows(store: Store, plan: Plan, filter: Filter): Promise<number> {
  const counted = plan.way === 'scan' ? await countedByScan(store, filter) : countOf(plan.source, filter)
  const { rows } = await sql<{ n: number }>`${counted}`.execute(store.backgroundOf(filter.tenantId))
  return rows[0]?.n ?? 0
}

function countOf(source: Source, filter: Filter): RawBuilder<unknown> {
  return sql`SELECT count(*) AS n FROM ${source.from} WHERE ${conditionsOn(source, filter)}`
}

/**
 * Builds the count of a scan. The records without a tag are all others minus those with the tag, which are counted along the index of the tag: a set
 * of them would be searched for every record.
 */
async function countedByScan(store: Store, filter: Filter): Promise<RawBuilder<unknown>> {
  const count = async (of: Filter) =>
    sql`SELECT count(*) AS n FROM ${scanned(of).from} WHERE ${await scanConditions(store, of)}`
  const { further = [], ...others } = filter
  const { tenantId, terms, ...beyond } = filter
  if (terms !== undefined && Object.keys(beyond).length === 0) return countedByText(store, tenantId, terms)
  const excluded = further.find((one) => one.on === 'tag' && one.isNot && one.keys.length === 1)
  if (excluded?.on !== 'tag' || filter.tagKey !== undefined) return count(filter)
  const [tagKey = ''] = excluded.keys
  const rest = { ...others, further: further.filter((one) => one !== excluded) }
  return sql`SELECT (${await count(rest)}) - (${await count({ ...rest, tagKey })}) AS n`
}

/** Builds the count of a search without other conditions: all matches of the text index, without those of records that lists omit. */
async function countedByText(
  store: Store,
  tenantId: string,
  terms: readonly SearchTerm[],
): Promise<RawBuilder<unknown>> {
  const found = findByText(await textScopeOf(store.reader, tenantId, terms), terms)
  return sql`SELECT count(*) AS n FROM ${found} WHERE found.docid NOT IN (
    SELECT u.docid FROM businesses AS u ${alongIndex('businesses_unlisted')} WHERE u.tenant_id = ${tenantId} AND u.status <> 'active')`
}

/** Returns a plan that starts from the records that match, found by one scan, if they are few. For lists that read several segments of them. */
export async function gatherFew(store: Store, filter: Filter, smallSet: number): Promise<Plan> {
  const { size, source } = await fewOf(store, filter.tenantId, await scannedDocids(store, filter), smallSet)
  return size > smallSet ? { way: 'scan' } : { way: 'gather', source }
}

/** Returns the matching records, found by one scan, as a source. */
export async function scannedRows(store: Store, filter: Filter): Promise<Source> {
  const docids = await scannedDocids(store, filter)
  return { from: sql`(${docids}) AS found ${thenJoin} businesses AS b ON b.docid = found.docid`, where: [] }
}

async function scannedDocids(store: Store, filter: Filter): Promise<RawBuilder<unknown>> {
  return sql`SELECT b.docid FROM ${scanned(filter).from} WHERE ${await scanConditions(store, filter)}`
}

/**
 * Returns false if the event loop can read some rows along the order: the filter compares values of the record only, and not the city by which the
 * list is sorted, because SQLite then sorts the rows.
 */
function isLongWalk({ filter: { terms, further, score, review, city }, order }: Wanted): boolean {
  const isSorted = city !== undefined && order.column === 'city'
  return isSorted || [terms, further, score, review].some((value) => value !== undefined)
}

function inOrderWithText({ filter, order }: Wanted): Source {
  const source = inOrder(filter, order)
  return filter.terms === undefined ? source : holding(source, filter.terms)
}

function sortedBy(order: Order, source?: Source): Sorted {
  // The indexes on cities contain the expression `lower(city)`.
  const ordered = order.column === 'city' ? sql`lower(b.city)` : sql.ref(`b.${order.column}`)
  const [column, id] = (order.column === 'updated_at' ? source?.change : undefined) ?? [ordered, sql`b.id`]
  return { column, id, orderBy: orderOf(order, column, id) }
}

function orderOf({ descending }: Order, column: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'DESC' : 'ASC')
  return sql`${column} ${direction}, ${id} ${direction}`
}

/** Builds the conditions for the rows after the cursor, and up to the end of a walk. */
function keyset(
  { column, id }: Sorted,
  { order: { descending }, after }: Pick<Wanted, 'order' | 'after'>,
  end?: Position,
): RawBuilder<unknown> {
  const [beyond, until] = descending ? [sql`<`, sql`>=`] : [sql`>`, sql`<=`]
  const start = after === undefined ? sql`` : sql`AND (${column}, ${id}) ${beyond} (${after[0]}, ${after[1]})`
  return end === undefined ? start : sql`${start} AND (${column}, ${id}) ${until} (${end[0]}, ${end[1]})`
}

/** Returns the position of the last row that a walk reads; undefined if there are fewer rows. */
async function endOfWalk(db: Kysely<Database>, wanted: Wanted, rows: number): Promise<Position | undefined> {
  const { filter, order } = wanted
  const { tenantId, updatedFrom, updatedTo, segment } = filter
  const source = inOrder(filter, order)
  const sorted = sortedBy(order, source)
  const isByChange = order.column === 'updated_at'
  const indexed = conditionsOf({
    tenantId,
    ...(isByChange && updatedFrom !== undefined && { updatedFrom }),
    ...(isByChange && updatedTo !== undefined && { updatedTo }),
    ...(segment !== undefined && { segment }),
  })
  const { rows: found } = await sql<{ value: string | number; id: string }>`
    SELECT ${sorted.column} AS value, ${sorted.id} AS id FROM ${source.from}
    WHERE ${sql.join([...indexed, ...source.where], sql` AND `)} ${keyset(sorted, wanted)}
    ORDER BY ${sorted.orderBy} LIMIT 1 OFFSET ${rows}`.execute(db)
  const [last] = found
  return last && [last.value, last.id]
}

/** Reads a source in an order, up to the end of a walk if there is one. */
async function readAlong<Row>(db: Kysely<Database>, source: Source, wanted: Wanted, end?: Position): Promise<Row[]> {
  const { filter, order, limit, columns, join } = wanted
  const sorted = sortedBy(order, source)
  const { rows } = await sql<Row>`
    SELECT ${columns}, ${sorted.column} AS sort_value FROM ${source.from} ${join}
    WHERE ${conditionsOn(source, filter)} ${keyset(sorted, wanted, end)}
    ORDER BY ${sorted.orderBy} LIMIT ${limit}`.execute(db)
  return rows
}

/** Finds the first matching rows of an order by a scan, and then reads these rows. */
async function scanRows<Row>(store: Store, wanted: Wanted): Promise<Row[]> {
  const { filter, order, limit, columns, join } = wanted
  const source = scanned(filter)
  const sorted = sortedBy(order, source)
  const found = sql`SELECT b.docid, ${sorted.column} AS sort_value, b.id AS sort_id FROM ${source.from}
    WHERE ${await scanConditions(store, filter)} ${keyset(sorted, wanted)} ORDER BY ${sorted.orderBy} LIMIT ${limit}`
  const { rows } = await sql<Row>`
    SELECT ${columns}, found.sort_value FROM (${found}) AS found ${thenJoin} businesses AS b ON b.docid = found.docid ${join}
    ORDER BY ${orderOf(order, sql`found.sort_value`, sql`found.sort_id`)}`.execute(store.backgroundOf(filter.tenantId))
  return rows
}

/** Builds the conditions of a scan. Conditions on other tables bring the set of their records, because a scan reads every listed record. */
async function scanConditions(store: Store, filter: Filter): Promise<RawBuilder<unknown>> {
  const { tenantId, terms } = filter
  const source = scanned(filter)
  const conditions = [...conditionsOf(withoutTag(source, filter), 'scan'), ...source.where]
  if (terms !== undefined) {
    const found = findByText(await textScopeOf(store.reader, tenantId, terms), terms)
    conditions.push(sql`b.docid IN (SELECT docid FROM ${found})`)
  }
  return sql.join(conditions, sql` AND `)
}
