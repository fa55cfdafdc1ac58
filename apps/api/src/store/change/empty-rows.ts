import { type RawBuilder, type SelectType, sql } from 'kysely'
import { actorKey } from '../../lib/actor.ts'
import type { Database } from '../database.ts'
import { alongIndex, inList } from '../engine/dialect.ts'
import type { Tx } from './change.ts'
import { inParts } from './in-parts.ts'

/*
 * Empties or deletes rows as tables declare it. A room declares with `erases` of its `<room>.room.ts` what an erasure does to its tables. Retention
 * periods empty rows by the same declarations.
 */

/** Text that replaces an erased text in a required column. The triggers of append-only tables accept no other text. */
export const ERASED = 'Erased.'

type Table = keyof Database & string
type Column<T extends Table> = keyof Database[T] & string
type Value<T extends Table, C extends Column<T>> = SelectType<Database[T][C]>
/** A value that depends on the row or on the change. */
type Computed<V> = (column: string, tx: Tx) => RawBuilder<V>

/** What happens to the rows of a table. `Count`: names of counts that an erasure returns. */
export type EmptiedTable<T extends Table, Count extends string> = (
  | { set: { readonly [C in Column<T>]?: Value<T, C> | Computed<Value<T, C>> }; deletes?: never }
  | { deletes: true; set?: never }
) & {
  /** column with the id of the row's owner; default: `id`, so that each row owns itself */
  by?: Column<T>
  /** table of the owner, whose column `business_id` names the business; default: this table, or with `by: 'business_id'` the business itself */
  of?: Table
  /** true if the primary key of the table begins with the business, so that rows are found by it and their id */
  underBusiness?: true
  /** only rows in which these columns are null, or are not null */
  where?: { readonly [C in Column<T>]?: 'null' | 'present' }
  /** index of the column `by`, which must be named if SQLite would read all rows of the tenant by the primary key */
  along?: string
  /** name of the count to which the owners are added; without `of`, the changed rows */
  counts?: Count
}

/** Tables whose rows are emptied or deleted, in this order. */
export type EmptiedTables<Count extends string = string> = { readonly [T in Table]?: EmptiedTable<T, Count> }

/** The declaration of any table, with the names of its columns as plain text. */
export type AnyEmptiedTable = {
  set?: Readonly<Record<string, unknown>>
  deletes?: true
  by?: string
  of?: string
  underBusiness?: true
  where?: Readonly<Record<string, 'null' | 'present'>>
  along?: string
  counts?: string
}

/** The time of the change. */
export const changeTime: Computed<never> = (_column, { at }) => sql<never>`${at}`

/** The actor of the change. */
export const changeActor: Computed<never> = (_column, { actor }) => sql<never>`${actorKey(actor)}`

/** The next number of a version. */
export const nextNumber: Computed<never> = (column) => sql<never>`${sql.ref(column)} + 1`

/** Replaces a text and leaves NULL unchanged, so that the row still shows whether a text existed. */
export function textInstead(text: string): Computed<never> {
  return (column) => sql<never>`CASE WHEN ${sql.ref(column)} IS NULL THEN NULL ELSE ${text} END`
}

/** The mark of an erased text, or NULL where no text existed. */
export const erasedText = textInstead(ERASED)

/** Sets a column that is null, and leaves another value unchanged. */
export function ifNull<V>(value: V | Computed<V>): Computed<V> {
  return (column, tx) => sql<V>`coalesce(${sql.ref(column)}, ${expressionOf(value, column, tx)})`
}

/** Replaces these states by one state, and leaves other states unchanged. */
export function stateInstead<S extends string>(of: readonly S[], instead: S): Computed<S> {
  return (column) => sql<S>`CASE WHEN ${sql.ref(column)} IN ${inList(of)} THEN ${instead} ELSE ${sql.ref(column)} END`
}

/** Returns the declared tables, in their order. */
export function declaredIn(tables: EmptiedTables): [table: string, AnyEmptiedTable][] {
  return Object.entries<AnyEmptiedTable | undefined>(tables).flatMap(([table, rule]) =>
    rule === undefined ? [] : [[table, rule]],
  )
}

/**
 * Empties all rows of these businesses in the declared tables, in parts between which requests are served. Returns the declared
 * counts. Must run in the transaction of the erasure.
 */
export async function eraseRows<Count extends string>(
  tx: Tx,
  tables: EmptiedTables<Count>,
  businessIds: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const owners = new Map<string, readonly string[]>()
  for (const [table, rule] of declaredIn(tables)) {
    const owner = rule.of ?? (rule.by === undefined ? table : undefined)
    const ids = owner === undefined ? businessIds : (owners.get(owner) ?? (await idsOf(tx, owner, businessIds)))
    if (owner !== undefined) owners.set(owner, ids)
    const changed = await emptyAll(tx, { table, rule, ids, businessIds })
    if (rule.counts !== undefined) counts[rule.counts] = rule.of === undefined ? changed : ids.length
  }
  return counts
}

/** Empties the rows of these owners, such as scans past their retention period, in the declared tables. */
export async function emptyRows(
  tx: Tx,
  tables: EmptiedTables,
  { of, ids }: { of: Table; ids: readonly string[] },
): Promise<void> {
  for (const [table, rule] of declaredIn(tables))
    if ((rule.of ?? table) === of) await emptyAll(tx, { table, rule, ids })
}

async function idsOf({ db, actor }: Tx, table: string, businessIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)}
    WHERE tenant_id = ${actor.tenantId} AND business_id IN (${sql.join(businessIds)})`.execute(db)
  return rows.map(({ id }) => id)
}

type Emptying = { table: string; rule: AnyEmptiedTable; ids: readonly string[]; businessIds?: readonly string[] }

/** Empties the rows of these owners in one table and returns the number of changed rows. */
async function emptyAll(tx: Tx, { table, rule, ids, businessIds = [] }: Emptying): Promise<number> {
  let changed = 0
  for await (const part of inParts(ids)) {
    const { numAffectedRows } = await statementOf(tx, table, rule, part, JSON.stringify(businessIds)).execute(tx.db)
    changed += Number(numAffectedRows)
  }
  return changed
}

/** Returns the statement for one part of the owners. `part`: their ids, `businesses`: the ids of the erased businesses, as JSON. */
export function statementOf(
  tx: Tx,
  table: string,
  rule: AnyEmptiedTable,
  part: string,
  businesses = '[]',
): RawBuilder<unknown> {
  const along = rule.along === undefined ? sql`` : alongIndex(rule.along)
  const values = Object.entries(rule.set ?? {}).map(
    ([column, value]) => sql`${sql.ref(column)} = ${expressionOf(value, column, tx)}`,
  )
  const begin = rule.deletes
    ? sql`DELETE FROM ${sql.table(table)} ${along}`
    : sql`UPDATE ${sql.table(table)} ${along} SET ${sql.join(values)}`
  const conditions = Object.entries(rule.where ?? {}).map(
    ([column, is]) => sql` AND ${sql.ref(column)} ${is === 'null' ? sql`IS NULL` : sql`IS NOT NULL`}`,
  )
  const ofBusiness = rule.underBusiness ? sql` AND business_id IN ${inList(sql.val(businesses))}` : sql``
  return sql`${begin}
    WHERE tenant_id = ${tx.actor.tenantId}${ofBusiness} AND ${sql.ref(rule.by ?? 'id')} IN ${inList(sql.val(part))}${sql.join(conditions, sql``)}`
}

function expressionOf(value: unknown, column: string, tx: Tx): RawBuilder<unknown> {
  return typeof value === 'function' ? value(column, tx) : sql`${value}`
}
