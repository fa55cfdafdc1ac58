import Sqlite from 'better-sqlite3'
import { migrations } from '../src/rooms/migrations.ts'
import { migrate } from '../src/store/files/migrate.ts'
import type { Migration } from '../src/store/migration.ts'

export type Value = string | number

/** A column of a table. `values`: the list to which a CHECK restricts it; null if there is none. */
export type Column = {
  name: string
  type: 'string' | 'number'
  isNullable: boolean
  /** true if an INSERT can omit the column although it is not nullable */
  isGenerated: boolean
  values: readonly Value[] | null
}

/** Returns the columns of each table that the steps create, by the table's name. Virtual tables and the table of the steps are left out. */
export function readSchema(steps: readonly Migration[] = migrations): Map<string, Column[]> {
  const db = new Sqlite(':memory:')
  try {
    migrate(db, { steps })
    const tables = db
      .prepare<[], { name: string; sql: string; wr: 0 | 1 }>(
        `SELECT s.name, s.sql, l.wr FROM pragma_table_list l JOIN sqlite_schema s ON s.name = l.name
         WHERE l.schema = 'main' AND l.type = 'table' AND s.name NOT LIKE 'sqlite_%' AND s.name <> 'schema_steps' ORDER BY s.rowid`,
      )
      .all()
    const columnsOf = db.prepare<[string], ColumnInfo>(
      `SELECT name, type, "notnull" AS isRequired, dflt_value AS preset, pk FROM pragma_table_info(?)`,
    )
    return new Map(
      tables.map(({ name, sql, wr }) => {
        const columns = columnsOf.all(name)
        const numbered = wr === 0 && columns.filter(({ pk }) => pk > 0).length === 1
        const lists = listsIn(sql)
        return [
          name,
          columns.map((column) => {
            const isNumber = numbered && column.pk === 1 && column.type === 'INTEGER'
            return {
              name: column.name,
              type: typeOf(name, column),
              isNullable: column.isRequired === 0 && !isNumber,
              isGenerated: isNumber || (column.isRequired === 1 && column.preset !== null),
              values: lists.get(column.name) ?? null,
            }
          }),
        ]
      }),
    )
  } finally {
    db.close()
  }
}

type ColumnInfo = { name: string; type: string; isRequired: 0 | 1; preset: string | null; pk: number }

function typeOf(table: string, { name, type }: ColumnInfo): Column['type'] {
  if (type === 'TEXT') return 'string'
  if (type === 'INTEGER' || type === 'REAL') return 'number'
  throw new Error(`${table}.${name} has the type ${type}, for which apps/api/tables/schema.ts knows no type of a row.`)
}

/** Returns the values of each column that a CHECK of the table restricts to a list. */
function listsIn(sql: string): Map<string, Value[]> {
  const lists = checksIn(sql).flatMap((condition) => listOf(condition) ?? [])
  return new Map(lists.map(({ column, values }) => [column, values]))
}

/** Returns the conditions of the CHECKs in a CREATE TABLE, without their outer brackets. */
function checksIn(sql: string): string[] {
  const text = sql.replace(/('(?:[^']|'')*')|--.*$/gm, (_, quoted = '') => quoted)
  return [...text.matchAll(/\bCHECK\s*\(/g)].map(({ index, 0: { length } }) => {
    const start = index + length
    let depth = 1
    for (const { 0: token, index: at } of text.slice(start).matchAll(/'(?:[^']|'')*'|[()]/g)) {
      if (token === '(') depth++
      if (token === ')') depth--
      if (depth === 0) return text.slice(start, start + at)
    }
    throw new Error(`A CHECK has no end: ${text.slice(index)}`)
  })
}

const literal = /'(?:[^']|'')*'|-?\d+/g
const term = /\b(\w+) (?:= ('(?:[^']|'')*'|-?\d+)|IN \(([^)]*)\)|IS NULL)/g

/**
 * Returns the column and the values of a condition that is a list: `a IN ('x', 'y')`, or `a = 'x' OR a = 'y'`, in brackets or not, and with `a IS
 * NULL` or not. Any other condition returns undefined.
 */
export function listOf(condition: string): { column: string; values: Value[] } | undefined {
  const text = condition.replace(/\s+/g, ' ')
  const terms = [...text.matchAll(term)]
  const columns = new Set(terms.map(([, column = '']) => column))
  const [column] = columns
  const isList = /^#(OR#)*$/.test(text.replace(term, '#').replace(/[() ]/g, ''))
  const values = terms
    .flatMap(([, , one = '', several = '']) => `${one} ${several}`.match(literal) ?? [])
    .map(readLiteral)
  return column !== undefined && columns.size === 1 && isList && values.length > 0 ? { column, values } : undefined
}

const readLiteral = (text: string): Value =>
  text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : Number.parseInt(text, 10)
