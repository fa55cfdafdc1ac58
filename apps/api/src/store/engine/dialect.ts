import { type RawBuilder, sql } from 'kysely'

/*
 * Names for what SQL dialects express differently, written here for SQLite. Rooms build their SQL from standard SQL and these names. SQL that
 * only one engine understands appears in `store/`, in migrations or in a file marked `*.sqlite.ts`: `engine-sql.test.ts` rejects it elsewhere.
 */

/** A list that a query takes as one parameter: its values, or a placeholder for the JSON of them. */
type List = readonly unknown[] | RawBuilder<unknown>
type Expression = RawBuilder<unknown>

/** The elements of a JSON array, as a table with the columns `value` and `key`, the position. */
export function elementsOf(list: List, alias: string): RawBuilder<unknown> {
  return sql`json_each(${jsonOf(list)}) AS ${sql.ref(alias)}`
}

/** The entries of a JSON object, as a table with the columns `key` and `value`. */
export function entriesOf(object: Expression, alias: string): RawBuilder<unknown> {
  return sql`json_each(${object}) AS ${sql.ref(alias)}`
}

/** The values of a list, for `IN`: one parameter, and so one prepared statement for any length. */
export function inList(list: List): RawBuilder<never> {
  return sql<never>`(SELECT value FROM json_each(${jsonOf(list)}))`
}

/** A field of a JSON object, or an element of a JSON array, as text or number; NULL without it. */
export function jsonField<T = unknown>(value: Expression, ...path: readonly (string | number)[]): RawBuilder<T> {
  return sql<T>`${value} ->> ${sql.lit(jsonPath(path))}`
}

/** A JSON object with this field set to null. */
export function withEmptyField(object: Expression, field: string): RawBuilder<string> {
  return sql<string>`json_set(${object}, ${sql.lit(jsonPath([field]))}, NULL)`
}

/** Aggregates rows into a JSON array, in the order of the rows or of `orderBy`. */
export function jsonList(value: Expression, orderBy?: Expression): RawBuilder<string> {
  return orderBy === undefined
    ? sql<string>`json_group_array(${value})`
    : sql<string>`json_group_array(${value} ORDER BY ${orderBy})`
}

/** Aggregates rows into a JSON object. */
export function jsonEntries(key: Expression, value: Expression): RawBuilder<string> {
  return sql<string>`json_group_object(${key}, ${value})`
}

/** A JSON object of these fields. */
export function jsonObject(fields: Record<string, Expression>): RawBuilder<unknown> {
  return sql`json_object(${sql.join(Object.entries(fields).flatMap(([name, value]) => [sql.lit(name), value]))})`
}

/** After a table's alias: reads the table along this index. For statements where a planner without statistics chooses another one. */
export function alongIndex(index: string): RawBuilder<unknown> {
  return sql`INDEXED BY ${sql.ref(index)}`
}

/** The same for the index of the table's primary key. */
export function alongPrimaryKey(table: string): RawBuilder<unknown> {
  return alongIndex(`sqlite_autoindex_${table}_1`)
}

/** The column, for a condition or an order that no index may serve. */
export function unindexed<T>(column: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`+${column}`
}

/** Joins a table to those on its left, which are read first: each of their rows is looked up in it. `ON` follows. */
export const thenJoin: RawBuilder<unknown> = sql`CROSS JOIN`

/** Equality in which NULL equals NULL. */
export function isSame(a: Expression, b: unknown): RawBuilder<boolean> {
  return sql<boolean>`${a} IS ${b}`
}

/** The negation of `isSame`. */
export function isOther(a: Expression, b: unknown): RawBuilder<boolean> {
  return sql<boolean>`${a} IS NOT ${b}`
}

/** Whether `text` has `part` as a substring; case and accents count. */
export function contains(text: Expression, part: unknown): RawBuilder<boolean> {
  return sql<boolean>`instr(${text}, ${part}) > 0`
}

/** The smaller of two values; NULL when one of them is. */
export function smaller<T>(a: unknown, b: unknown): RawBuilder<T> {
  return sql<T>`min(${a}, ${b})`
}

/** The larger of two values; NULL when one of them is. */
export function larger<T>(a: unknown, b: unknown): RawBuilder<T> {
  return sql<T>`max(${a}, ${b})`
}

/** For comparing and sorting a text without the case of ASCII letters. */
export function caseless(text: Expression): RawBuilder<string> {
  return sql<string>`${text} COLLATE NOCASE`
}

/** The hours between two RFC 3339 times. */
export function hoursBetween(from: Expression, to: Expression): RawBuilder<number> {
  return sql<number>`((julianday(${to}) - julianday(${from})) * 24)`
}

/** A whole number as text with leading zeros, so that texts sort as the numbers do. */
export function zeroPadded(number: Expression, digits: number): RawBuilder<string> {
  return sql<string>`printf(${sql.lit(`%0${digits}d`)}, ${number})`
}

function jsonOf(list: List): Expression {
  return isList(list) ? sql.val(JSON.stringify(list)) : list
}

function isList(list: List): list is readonly unknown[] {
  return Array.isArray(list)
}

function jsonPath(path: readonly (string | number)[]): string {
  return `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`
}
