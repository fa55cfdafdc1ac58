import { type RawBuilder, sql } from 'kysely'

/*
 * Functions for operations that SQL dialects express differently, implemented for SQLite. Rooms build their SQL from standard SQL and these
 * functions. SQL that only one engine understands may appear in `store/`, in migrations or in a file marked `*.sqlite.ts`; `engine-sql.test.ts`
 * rejects it in other files.
 */

/** A list that a query takes as one parameter: its values, or a placeholder that is replaced by their JSON. */
type List = readonly unknown[] | RawBuilder<unknown>
type Expression = RawBuilder<unknown>

/** Returns the elements of a JSON array as a table with the columns `value` and `key` (the position). */
export function elementsOf(list: List, alias: string): RawBuilder<unknown> {
  return sql`json_each(${jsonOf(list)}) AS ${sql.ref(alias)}`
}

/** Like `elementsOf`, for a list of integers, whose type other engines do not derive. */
export function numbersOf(list: List, alias: string): RawBuilder<unknown> {
  return elementsOf(list, alias)
}

/** Returns the objects of a JSON array as a table with these fields as columns, of these types, and `key` (the position). */
export function rowsOf(list: List, alias: string, columns: Record<string, 'text' | 'integer'>): RawBuilder<unknown> {
  const fields = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(jsonPath([name]))} AS ${sql.ref(name)}`)
  return sql`(SELECT key, ${sql.join(fields)} FROM json_each(${jsonOf(list)})) AS ${sql.ref(alias)}`
}

/** Returns the entries of a JSON object as a table with the columns `key`, `value` and `type`, which is `text` for a text. */
export function entriesOf(object: Expression, alias: string): RawBuilder<unknown> {
  return sql`json_each(${object}) AS ${sql.ref(alias)}`
}

/** Returns the values of a list for `IN`. The list is a single parameter, so the same prepared statement can be used for lists of any length. */
export function inList(list: List): RawBuilder<never> {
  return sql<never>`(SELECT value FROM json_each(${jsonOf(list)}))`
}

/** Like `inList`, for a list of integers, whose type other engines do not derive. */
export function inNumbers(list: List): RawBuilder<never> {
  return inList(list)
}

/** Returns a field of a JSON object, or an element of a JSON array, as text or number; NULL if it is absent. */
export function jsonField<T = unknown>(value: Expression, ...path: readonly (string | number)[]): RawBuilder<T> {
  return sql<T>`${value} ->> ${sql.lit(jsonPath(path))}`
}

/** Returns a JSON object with this field set to null. */
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

/** Builds a JSON object of these fields. */
export function jsonObject(fields: Record<string, Expression>): RawBuilder<unknown> {
  return sql`json_object(${sql.join(Object.entries(fields).flatMap(([name, value]) => [sql.lit(name), value]))})`
}

/**
 * Makes SQLite read a table by this index. It follows the table's alias. For statements in which a planner without statistics chooses another index.
 */
export function alongIndex(index: string): RawBuilder<unknown> {
  return sql`INDEXED BY ${sql.ref(index)}`
}

/** Makes SQLite read a table by the index of its primary key. It follows the table's alias. */
export function alongPrimaryKey(table: string): RawBuilder<unknown> {
  return alongIndex(`sqlite_autoindex_${table}_1`)
}

/** Prevents the use of an index for a column, in a condition or an order that no index should serve. */
export function unindexed<T>(column: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`+${column}`
}

/** Joins a table to those on its left, which SQLite reads first and row by row. `ON` follows. */
export const thenJoin: RawBuilder<unknown> = sql`CROSS JOIN`

/** Returns 1 if the condition is true and 0 otherwise, also if it is NULL. In other engines a condition is no number. */
export function flag(condition: Expression): RawBuilder<0 | 1> {
  return sql<0 | 1>`CASE WHEN ${condition} THEN 1 ELSE 0 END`
}

/** Equality under which NULL equals NULL. */
export function isSame(a: Expression, b: unknown): RawBuilder<boolean> {
  return sql<boolean>`${a} IS ${b}`
}

/** The negation of `isSame`. */
export function isOther(a: Expression, b: unknown): RawBuilder<boolean> {
  return sql<boolean>`${a} IS NOT ${b}`
}

/** True if `text` contains `part`, with case and accents compared exactly. */
export function contains(text: Expression, part: unknown): RawBuilder<boolean> {
  return sql<boolean>`instr(${text}, ${part}) > 0`
}

/** Returns the smaller of two values; NULL if one of them is NULL. */
export function smaller<T>(a: unknown, b: unknown): RawBuilder<T> {
  return sql<T>`min(${a}, ${b})`
}

/** Returns the larger of two values; NULL if one of them is NULL. */
export function larger<T>(a: unknown, b: unknown): RawBuilder<T> {
  return sql<T>`max(${a}, ${b})`
}

/** Returns the text in a form that compares and sorts without regard to the case of ASCII letters. */
export function caseless(text: Expression): RawBuilder<string> {
  return sql<string>`${text} COLLATE NOCASE`
}

/** Returns the hours between two RFC 3339 times. */
export function hoursBetween(from: Expression, to: Expression): RawBuilder<number> {
  return sql<number>`((julianday(${to}) - julianday(${from})) * 24)`
}

/** Rounds a number to this many decimals. */
export function rounded(number: Expression, decimals: number): RawBuilder<number> {
  return sql<number>`round(${number}, ${sql.lit(decimals)})`
}

/** Formats an integer with leading zeros, so that texts sort in the order of the numbers. */
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
