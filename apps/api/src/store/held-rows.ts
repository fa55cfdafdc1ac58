import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Permission } from '../lib/declared.ts'
import type { Database, Db } from './database.ts'
import { alongIndex, inList } from './engine/dialect.ts'

/*
 * Reads what tables hold about businesses as the tables declare it. A room declares with `holds` of its `<room>.room.ts` which columns a collection of
 * everything held contains, in the same form in which `erases` declares what an erasure empties.
 */

type Table = keyof Database & string
type Column<T extends Table> = keyof Database[T] & string

/** What a collection contains of a table. */
export type HeldTable<T extends Table> = {
  /** heading of the part, such as 'Notes' */
  title: string
  /** permission that a person needs to get the part */
  permission: Permission
  /** label of each column that the part contains, in their order */
  columns: { readonly [C in Column<T>]?: string }
  /** those of the columns that contain JSON */
  json?: readonly Column<T>[]
  /** column that names the owner of a row; default: `business_id` */
  by?: Column<T>
  /** table of the owner, whose column `business_id` names the business; default: the business itself is the owner */
  of?: Table
  /** column with a unique ascending value, by which rows are read in pages; default: `id`. null: a business has at most `MAX_UNORDERED` rows */
  order?: Column<T> | null
  /** index of the column `by`, which must be named if SQLite would choose another one */
  along?: string
  /** index of the owners by their business, if SQLite would choose another one */
  alongOwners?: string
  /** index and column of normalized contact values, by which a collection about a value finds businesses */
  valued?: { index: string; column: Column<T> }
}

/** Tables of a collection, in this order. */
export type HeldTables = { readonly [T in Table]?: HeldTable<T> }

/** The declaration of any table, with the names of its columns as plain text. */
export type AnyHeldTable = {
  title: string
  permission: Permission
  columns: Readonly<Record<string, string>>
  json?: readonly string[]
  by?: string
  of?: string
  order?: string | null
  along?: string
  alongOwners?: string
  valued?: { index: string; column: string }
}
export type HeldRow = Readonly<Record<string, unknown>>

/** Rows per query, and owners per query of their rows. Requests are served between two queries. */
const ROWS_AT_ONCE = 500
/** Maximum number of rows that the owners of one query have together. */
const MAX_ROWS_OF_OWNERS = 20_000
/** Maximum number of rows of one business in a table that is read at once. */
const MAX_UNORDERED = 1_000

/** Returns the declared tables, in their order. */
export function heldIn(tables: HeldTables): [table: string, rule: AnyHeldTable][] {
  return Object.entries<AnyHeldTable | undefined>(tables).flatMap(([table, rule]) =>
    rule === undefined ? [] : [[table, rule]],
  )
}

/** Yields the rows of these businesses in one table, in parts. Errors: `too_large`. */
export async function* readHeld(
  db: Db,
  {
    tenantId,
    businessIds,
    table,
    rule,
  }: { tenantId: string; businessIds: readonly string[]; table: string; rule: AnyHeldTable },
): AsyncGenerator<HeldRow[]> {
  for (const businessId of businessIds) {
    if (rule.of === undefined) yield* pagesOf(db, rowsOfBusiness(table, rule, { tenantId, businessId }), rule)
    else
      for await (const owners of pagesOf(db, ownersIn(rule.of, rule, { tenantId, businessId }), { order: 'id' }))
        yield await bounded(
          db,
          rowsOfOwners(
            table,
            rule,
            tenantId,
            owners.map(({ id }) => String(id)),
          ),
          rule,
          MAX_ROWS_OF_OWNERS,
        )
  }
}

type Paged = (after: string | number | undefined, limit: number) => RawBuilder<HeldRow>

async function* pagesOf(
  db: Db,
  query: Paged,
  { title = '', order = 'id' }: Partial<Pick<AnyHeldTable, 'title' | 'order'>>,
): AsyncGenerator<HeldRow[]> {
  if (order === null) {
    yield await bounded(db, query(undefined, MAX_UNORDERED + 1), { title }, MAX_UNORDERED)
    return
  }
  for (let after: string | number | undefined, isWhole = false; !isWhole; ) {
    const { rows } = await query(after, ROWS_AT_ONCE).execute(db)
    yield rows
    const last = rows.at(-1)?.[order]
    isWhole = rows.length < ROWS_AT_ONCE || (typeof last !== 'string' && typeof last !== 'number')
    after = typeof last === 'string' || typeof last === 'number' ? last : undefined
  }
}

async function bounded(
  db: Db,
  query: RawBuilder<HeldRow>,
  { title }: Pick<AnyHeldTable, 'title'>,
  max: number,
): Promise<HeldRow[]> {
  const { rows } = await query.execute(db)
  if (rows.length > max) throw new AppError('too_large', `There are too many rows for one file: ${title}.`)
  return rows
}

/** Returns the query for the rows of one business after a position. */
export function rowsOfBusiness(
  table: string,
  rule: AnyHeldTable,
  { tenantId, businessId }: { tenantId: string; businessId: string },
): Paged {
  const { by = 'business_id', order = 'id' } = rule
  return (after, limit) => sql<HeldRow>`
    SELECT ${columnsOf(rule)} FROM ${sql.table(table)} ${alongOf(rule)}
    WHERE tenant_id = ${tenantId} AND ${sql.ref(by)} = ${businessId}
      ${order === null || after === undefined ? sql`` : sql`AND ${sql.ref(order)} > ${after}`}
    ${order === null ? sql`` : sql`ORDER BY ${sql.ref(order)}`} LIMIT ${limit}`
}

/** Returns the query for the rows of these owners. */
export function rowsOfOwners(
  table: string,
  rule: AnyHeldTable,
  tenantId: string,
  owners: readonly string[],
): RawBuilder<HeldRow> {
  return sql<HeldRow>`
    SELECT ${columnsOf(rule)} FROM ${sql.table(table)} ${alongOf(rule)}
    WHERE tenant_id = ${tenantId} AND ${sql.ref(rule.by ?? 'id')} IN ${inList(owners)} LIMIT ${MAX_ROWS_OF_OWNERS + 1}`
}

/** Returns the query for the owners of one business after a position. */
export function ownersIn(
  table: string,
  { alongOwners }: Pick<AnyHeldTable, 'alongOwners'>,
  of: { tenantId: string; businessId: string },
): Paged {
  const along = alongOwners === undefined ? {} : { along: alongOwners }
  return rowsOfBusiness(table, { title: '', permission: 'businesses.read', columns: { id: '' }, ...along }, of)
}

/** Returns the query for businesses that a table connects with one of these values. */
export function ownersOfValue(
  table: string,
  { index, column }: NonNullable<AnyHeldTable['valued']>,
  wanted: { tenantId: string; normalized: string; limit: number },
): RawBuilder<{ business_id: string }> {
  return sql<{ business_id: string }>`
    SELECT DISTINCT business_id FROM ${sql.table(table)} ${alongIndex(index)}
    WHERE tenant_id = ${wanted.tenantId} AND ${sql.ref(column)} = ${wanted.normalized} AND business_id IS NOT NULL
    LIMIT ${wanted.limit}`
}

/** The part contains its columns, and those by which its rows are read further. */
function columnsOf({ columns, order = 'id', of }: AnyHeldTable): RawBuilder<unknown> {
  const names = new Set([...Object.keys(columns), ...(order === null || of !== undefined ? [] : [order])])
  return sql.join([...names].map((name) => sql.ref(name)))
}

function alongOf({ along }: AnyHeldTable): RawBuilder<unknown> {
  return along === undefined ? sql`` : alongIndex(along)
}
