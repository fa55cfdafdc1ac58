import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Expression, Kysely } from 'kysely'
import { z } from 'zod'
import { AppError } from '../lib/app-error.ts'
import { inDigits } from '../lib/digits.ts'
import { seal, unseal } from '../lib/sealed-secret.ts'
import type { Database } from '../store/database.ts'
import { type Count, countUpTo } from '../store/engine/count-up-to.ts'
import type { Keys } from '../store/files/keys.ts'
import type { Store } from '../store/store.ts'
import type { VisibleRows } from './visible-rows.ts'

/** Maximum number of rows that a list counts. The total of a larger set is `more_than` this number, unless a stored count states it. */
export const MAX_COUNTED = 10_000

/** Maximum number of rows that a count reads if no index has all conditions of the list. With more rows the total is unknown. */
export const MAX_WALKED = 50_000
/** Maximum time for which a page waits for its count in the background. The total is unknown afterwards. */
const MAX_COUNT_WAIT_MS = 500
/** The time in force. Tests extend it, so that a total does not depend on the load of the machine. */
export const countWait = { ms: MAX_COUNT_WAIT_MS }

const PAGE_LIMIT_DEFAULT = 50
const PAGE_LIMIT_MAX = 200
const MAX_CURSOR_LENGTH = 1_024

/** Schemas of the two query parameters of every list. Values out of range are refused and not clamped. */
export const pageQuery = {
  limit: inDigits(z.int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT)),
  cursor: z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page; valid for the same filter and order only' }),
}

export type PageQuery = { limit: number; cursor?: string | undefined }

const totalSchema = z
  .object({
    value: z.int(),
    counts: z
      .enum(['matching_set', 'more_than', 'page'])
      .describe('matching_set: exactly this many rows match. more_than: more rows match than this number'),
    asOf: z.string(),
  })
  .meta({ id: 'Total', description: 'The counted set, and the time of the count.' })

export type Total = z.infer<typeof totalSchema>

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    page: z.object({
      limit: z.int(),
      returned: z.int(),
      nextCursor: z.string().nullable(),
      total: totalSchema
        .nullable()
        .describe(
          'null: not counted, because the page is not the first, or the count would take too long or read too many rows',
        ),
    }),
  })
}

/** Maximum number of rows of a list that is answered as a whole, because code or configuration declares its rows. */
const MAX_DECLARED = 1_000

/** Schema of the rows of a list that is answered as a whole, because code or configuration declares them. Other lists have pages. */
export function declaredList<T extends z.ZodType>(item: T) {
  return z.array(item).max(MAX_DECLARED)
}

export type Page<T> = {
  items: T[]
  page: { limit: number; returned: number; nextCursor: string | null; total: Total | null }
}

/** The position after the last row of a page, as the values by which the list is sorted. */
export type Position = readonly (string | number | null)[]

export type Cursors = {
  /** Returns an opaque, signed cursor for this position. `binding`: the context in which it is valid (tenant, route, filter, sort). */
  encode(binding: unknown, position: Position): string
  /** Like `encode`, for a position that its reader may not see: the cursor is encrypted. */
  encodeHidden(binding: unknown, position: Position): string
  /** Returns the position of a cursor. Throws `invalid_request` for a cursor that was altered, or created for another filter, sort or tenant. */
  decode(binding: unknown, cursor: string): Position
}

const positionSchema = z.array(z.union([z.string(), z.number(), z.null()]))

/** First character of an encrypted position. */
const SEALED = '~'

export function createCursors(keys: Keys): Cursors {
  const key = keys.derive('cursor')
  const sealingKey = keys.derive('hidden cursor')
  const sign = (binding: unknown, payload: string) =>
    createHmac('sha256', key)
      .update(`${JSON.stringify(binding)}\n${payload}`)
      .digest('base64url')
      .slice(0, 22)
  return {
    encode: (binding, position) => {
      const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
      return `${payload}.${sign(binding, payload)}`
    },
    encodeHidden: (binding, position) => {
      const payload = SEALED + seal(sealingKey, JSON.stringify(position), 'cursor')
      return `${payload}.${sign(binding, payload)}`
    },
    decode: (binding, cursor) => {
      const [payload = '', signature = '', ...rest] = cursor.split('.')
      const expected = Buffer.from(sign(binding, payload))
      const sent = Buffer.from(signature)
      if (rest.length > 0 || sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
        throw new AppError(
          'invalid_request',
          'This cursor does not belong to this list. Start again without a cursor.',
          {
            errors: [{ path: 'cursor', code: 'invalid_cursor', message: 'This cursor does not belong to this list.' }],
          },
        )
      }
      const position = payload.startsWith(SEALED)
        ? unseal(sealingKey, payload.slice(SEALED.length), 'cursor')
        : Buffer.from(payload, 'base64url').toString('utf8')
      return positionSchema.parse(JSON.parse(position))
    },
  }
}

/**
 * Builds a page from the rows of a query for one row more than the limit. The extra row shows that a next page exists. `total`: the number of all
 * matching rows, or null if it was not counted. `stoppedAt`: the cursor of a page that is not full although the list goes on (`readVisibleRows`).
 */
export function toPage<Row, Item>(options: {
  rows: Row[]
  limit: number
  toItem: (row: Row) => Item
  cursorAfter: (row: Row) => string
  total: Total | null
  stoppedAt?: string | undefined
}): Page<Item> {
  const { rows, limit, toItem, cursorAfter, total, stoppedAt = null } = options
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = rows.length > limit && last !== undefined ? cursorAfter(last) : stoppedAt
  return { items: shown.map(toItem), page: { limit, returned: shown.length, nextCursor, total } }
}

/** Returns the total of a set that was counted up to one row more than the limit. */
export function totalFrom(count: number, asOf: string, limit: number = MAX_COUNTED): Total {
  return { value: Math.min(count, limit), counts: count > limit ? 'more_than' : 'matching_set', asOf }
}

/** Returns the total of a set whose number is known exactly, whatever its size. */
export function exactTotal(value: number, asOf: string): Total {
  return { value, counts: 'matching_set', asOf }
}

/** Rows to count, as a query without order and limit, or their number. Runs on the background reader. */
export type CountedRows = (db: Kysely<Database>) => Expression<unknown> | Promise<number | Count>

/** A page of a tenant as read: at most one row more than the limit. `isStopped`: it is not full although the list goes on. */
type ReadPage = {
  tenantId: string
  rows: readonly unknown[]
  limit: number
  cursor: string | undefined
  isStopped?: boolean
}

/** Returns a count, or null if it fails or takes longer than `MAX_COUNT_WAIT_MS`: slow queries in the background must not delay or fail a list. */
export async function ifCountedInTime<T>(counting: Promise<T>): Promise<T | null> {
  const known = counting.catch((error: unknown) => {
    if (error instanceof AppError && ['unavailable', 'too_many_waiting'].includes(error.code)) return null
    throw error
  })
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), countWait.ms)
  })
  try {
    return await Promise.race([known, ended])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the total of a count; null if the count ended before the last row and before the limit. */
function totalOfCount({ count, isWhole }: Count, asOf: string, limit: number = MAX_COUNTED): Total | null {
  return isWhole || count > limit ? totalFrom(count, asOf, limit) : null
}

/**
 * Returns the total of a list; null if it is unknown. A first page that is not full contains the whole list; any other first page is counted, up to
 * `MAX_COUNTED` rows. Later pages are not counted, because their reader has the total of the first page.
 */
export async function totalOf(
  { backgroundOf, clock }: Pick<Store, 'backgroundOf' | 'clock'>,
  { tenantId, rows, limit, cursor, isStopped = false }: ReadPage,
  counted: CountedRows,
): Promise<Total | null> {
  const asOf = clock().toISOString()
  if (cursor !== undefined) return null
  if (rows.length <= limit && !isStopped) return totalFrom(rows.length, asOf)
  const background = backgroundOf(tenantId)
  const found = counted(background)
  const count = await ifCountedInTime(found instanceof Promise ? found : countUpTo(background, found, MAX_COUNTED))
  if (count === null) return null
  return typeof count === 'number' ? totalFrom(count, asOf) : totalOfCount(count, asOf)
}

type Counting = { store: Pick<Store, 'backgroundOf' | 'clock'>; tenantId: string; count: CountedRows }

/**
 * Builds a page of a record's children, newest first. Ids ascend with time, so they define both the order and the cursor. `fetch` gets the id before
 * which the page continues, and must query one row more than the page shows. `count` selects the rows of all pages.
 */
export async function newestFirst<Row extends { id: string }, Item>(
  options: Counting & {
    cursors: Cursors
    binding: readonly string[]
    query: PageQuery
    fetch: (before: string | undefined, limit: number) => Promise<Row[] | VisibleRows<Row, { id: string }>>
    toItem: (row: Row) => Item
  },
): Promise<Page<Item>> {
  const { store, tenantId, cursors, binding, query, fetch, count, toItem } = options
  const { limit, cursor } = query
  const [before] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const fetched = await fetch(before === undefined ? undefined : String(before), limit + 1)
  const { rows, stoppedAfter } = Array.isArray(fetched) ? { rows: fetched, stoppedAfter: undefined } : fetched
  const isStopped = stoppedAfter !== undefined
  const total = await totalOf(store, { tenantId, rows, limit, cursor, isStopped }, count)
  const cursorAfter = ({ id }: { id: string }) => cursors.encode(binding, [id])
  return toPage({ rows, limit, total, toItem, cursorAfter, stoppedAt: stoppedAfter && cursorAfter(stoppedAfter) })
}

/** Builds a page of numbered versions, newest first. `fetch` receives the version to continue below, and must query one row more than the page shows. */
export async function newestVersionsFirst<Row extends { version: number }>(
  options: Counting & {
    cursors: Cursors
    binding: readonly string[]
    query: PageQuery
    fetch: (below: number | undefined, limit: number) => Promise<Row[]>
  },
): Promise<Page<Row>> {
  const { store, tenantId, cursors, binding, query, fetch, count } = options
  const { limit, cursor } = query
  const [below] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const rows = await fetch(below === undefined ? undefined : Number(below), limit + 1)
  const total = await totalOf(store, { tenantId, rows, limit, cursor }, count)
  const cursorAfter = ({ version }: Row) => cursors.encode(binding, [version])
  return toPage({ rows, limit, total, toItem: (row) => row, cursorAfter })
}
