import type { Connection } from 'mysql2/promise'
import { z } from 'zod'
import { rowsOf } from './connection.ts'

/** A table or view as the server describes it, in the notation of appendix.ts. */
export type LiveTable = {
  /** `BASE TABLE`, `VIEW`, … */
  kind: string
  engine: string | null
  isPartitioned: boolean
  columns: Map<string, string>
  /** columns that need a value in every new row, because they have no default */
  mandatory: string[]
  keys: string[]
  references: string[]
}

const tableRow = z.object({
  name: z.string(),
  kind: z.string(),
  engine: z.string().nullable(),
  options: z.string().nullable(),
})

const columnRow = z.object({
  table: z.string(),
  name: z.string(),
  dataType: z.string(),
  columnType: z.string(),
  length: z.coerce.number().nullable(),
  precision: z.coerce.number().nullable(),
  characterSet: z.string().nullable(),
  isNullable: z.enum(['YES', 'NO']),
  default: z.string().nullable(),
  extra: z.string(),
})
type ColumnRow = z.infer<typeof columnRow>

const keyRow = z.object({
  table: z.string(),
  name: z.string(),
  isUnique: z.coerce.boolean(),
  column: z.string().nullable(),
  length: z.coerce.number().nullable(),
})

const referenceRow = z.object({
  table: z.string(),
  name: z.string(),
  column: z.string(),
  parent: z.string(),
  parentColumn: z.string(),
  onUpdate: z.string(),
  onDelete: z.string(),
})

/** Reads all tables and views of the selected database that the account may see, by name. The result is the same for MariaDB and MySQL. */
export async function readLiveSchema(db: Connection, isMariaDb: boolean): Promise<Map<string, LiveTable>> {
  const tables = await rowsOf(
    db,
    tableRow,
    `SELECT TABLE_NAME AS name, TABLE_TYPE AS kind, ENGINE AS engine, CREATE_OPTIONS AS options
     FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()`,
  )
  const columns = await rowsOf(
    db,
    columnRow,
    `SELECT TABLE_NAME AS \`table\`, COLUMN_NAME AS name, DATA_TYPE AS dataType, COLUMN_TYPE AS columnType,
       CHARACTER_MAXIMUM_LENGTH AS length, DATETIME_PRECISION AS \`precision\`, CHARACTER_SET_NAME AS characterSet,
       IS_NULLABLE AS isNullable, COLUMN_DEFAULT AS \`default\`, EXTRA AS extra
     FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION`,
  )
  const keys = await rowsOf(
    db,
    keyRow,
    `SELECT TABLE_NAME AS \`table\`, INDEX_NAME AS name, NON_UNIQUE = 0 AS isUnique, COLUMN_NAME AS \`column\`, SUB_PART AS length
     FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`,
  )
  const references = await rowsOf(
    db,
    referenceRow,
    `SELECT part.TABLE_NAME AS \`table\`, part.CONSTRAINT_NAME AS name, part.COLUMN_NAME AS \`column\`,
       part.REFERENCED_TABLE_NAME AS parent, part.REFERENCED_COLUMN_NAME AS parentColumn,
       rule.UPDATE_RULE AS onUpdate, rule.DELETE_RULE AS onDelete
     FROM information_schema.KEY_COLUMN_USAGE AS part
     JOIN information_schema.REFERENTIAL_CONSTRAINTS AS rule
       ON rule.CONSTRAINT_SCHEMA = part.CONSTRAINT_SCHEMA AND rule.TABLE_NAME = part.TABLE_NAME
       AND rule.CONSTRAINT_NAME = part.CONSTRAINT_NAME
     WHERE part.TABLE_SCHEMA = DATABASE() AND part.REFERENCED_TABLE_SCHEMA = DATABASE()
     ORDER BY part.TABLE_NAME, part.CONSTRAINT_NAME, part.ORDINAL_POSITION`,
  )
  const jsonColumns = isMariaDb ? await jsonColumnsOfMariaDb(db) : new Set<string>()

  const live = new Map<string, LiveTable>()
  for (const { name, kind, engine, options } of tables) {
    const isPartitioned = options?.includes('partitioned') ?? false
    live.set(name, { kind, engine, isPartitioned, columns: new Map(), mandatory: [], keys: [], references: [] })
  }
  for (const column of columns) {
    const table = live.get(column.table)
    table?.columns.set(column.name, columnShape(column, jsonColumns))
    if (isMandatory(column)) table?.mandatory.push(column.name)
  }
  for (const parts of grouped(keys)) live.get(parts[0].table)?.keys.push(keyShape(parts))
  for (const parts of grouped(references)) live.get(parts[0].table)?.references.push(referenceShape(parts))
  return live
}

/**
 * Returns the JSON columns of MariaDB, as `table.column`. There, JSON is an alias for a longtext with a check that its content is valid JSON; a
 * longtext without this check is not JSON.
 */
async function jsonColumnsOfMariaDb(db: Connection): Promise<Set<string>> {
  const row = z.object({ table: z.string(), clause: z.string() })
  const checks = await rowsOf(
    db,
    row,
    `SELECT TABLE_NAME AS \`table\`, CHECK_CLAUSE AS clause
     FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE()`,
  )
  return new Set(checks.map(({ table, clause }) => `${table}.${/^json_valid\(`(.+)`\)$/i.exec(clause)?.[1] ?? ''}`))
}

function columnShape(column: ColumnRow, jsonColumns: Set<string>): string {
  const { dataType, columnType, length, precision, characterSet, isNullable, extra } = column
  const words: string[] = []
  if (dataType === 'varchar') words.push(`VARCHAR(${length})`)
  else if (jsonColumns.has(`${column.table}.${column.name}`)) words.push('JSON')
  else if (columnType === 'tinyint(1)') words.push('BOOLEAN')
  else words.push(dataType.toUpperCase() + (precision ? `(${precision})` : ''))
  if (columnType.includes('unsigned')) words.push('UNSIGNED')
  if (columnType.includes('zerofill')) words.push('ZEROFILL')
  if (characterSet !== null && characterSet !== 'utf8mb4') words.push(`CHARACTER SET ${characterSet}`)
  words.push(isNullable === 'YES' ? 'NULL' : 'NOT NULL')
  const value = defaultOf(column)
  if (value !== undefined) words.push(`DEFAULT ${value}`)
  if (/on update current_timestamp/i.test(extra)) words.push('ON UPDATE NOW')
  if (/auto_increment/i.test(extra)) words.push('AUTO_INCREMENT')
  if (/(virtual|stored|persistent) generated/i.test(extra)) words.push('GENERATED')
  return words.join(' ')
}

/** Returns the default of a column; undefined if it has none. MariaDB reports the default NULL as a word, and CURRENT_TIMESTAMP with parentheses. */
function defaultOf({ default: value }: ColumnRow): string | undefined {
  if (value === null || value === 'NULL') return undefined
  return /^current_timestamp/i.test(value) ? 'NOW' : value
}

function isMandatory(column: ColumnRow): boolean {
  return column.isNullable === 'NO' && column.default === null && !/auto_increment|generated/i.test(column.extra)
}

function keyShape(parts: Parts<z.infer<typeof keyRow>>): string {
  const [{ name, isUnique }] = parts
  const columns = parts.map(({ column, length }) => (column ?? 'expression') + (length === null ? '' : `(${length})`))
  if (name === 'PRIMARY') return `PRIMARY KEY (${columns.join(', ')})`
  return `${isUnique ? 'UNIQUE ' : ''}KEY ${name} (${columns.join(', ')})`
}

function referenceShape(parts: Parts<z.infer<typeof referenceRow>>): string {
  const [{ parent, onUpdate, onDelete }] = parts
  const columns = parts.map(({ column }) => column).join(', ')
  const parentColumns = parts.map(({ parentColumn }) => parentColumn).join(', ')
  const update = /^(RESTRICT|NO ACTION)$/.test(onUpdate) ? '' : ` ON UPDATE ${onUpdate}`
  return `${columns} -> ${parent} (${parentColumns}) ON DELETE ${onDelete}${update}`
}

type Parts<T> = [T, ...T[]]

/** Groups consecutive rows that have the same table and name. */
function grouped<T extends { table: string; name: string }>(rows: T[]): Parts<T>[] {
  const groups = new Map<string, Parts<T>>()
  for (const row of rows) {
    const name = `${row.table}.${row.name}`
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return [...groups.values()]
}
