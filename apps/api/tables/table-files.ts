import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Column, readSchema } from './schema.ts'
import { tablesIn, withColumns } from './table-file.ts'

const source = join(import.meta.dirname, '../src')

/** A file of row types. `path` is below `apps/api/src`. */
export type TableFile = { path: string; text: string }

/** Returns the committed files that declare tables. */
export const committedFiles = (): TableFile[] => filesNamed('**/*.table.ts')

/**
 * Returns the files as the migrated schema requires them. A table belongs to the file that declares it. A table that no file declares belongs to the
 * room whose migration creates it.
 */
export function generatedFiles(
  committed: readonly TableFile[] = committedFiles(),
  schema: ReadonlyMap<string, readonly Column[]> = readSchema(),
): TableFile[] {
  const texts = new Map(committed.map(({ path, text }) => [path, text]))
  const owners = new Map(
    committed.flatMap(({ path, text }) => tablesIn(text).map(({ table }) => [table, path] as const)),
  )
  const tables = Map.groupBy(schema, ([table]) => owners.get(table) ?? fileOfNew(table))
  return [...new Set([...texts.keys(), ...tables.keys()])].sort().map((path) => ({
    path,
    text: withColumns(texts.get(path) ?? emptyFile(path), new Map(tables.get(path))),
  }))
}

export const absolutePath = (path: string): string => join(source, path)

function filesNamed(pattern: string): TableFile[] {
  return globSync(pattern, { cwd: source })
    .sort()
    .map((path) => ({ path, text: readFileSync(absolutePath(path), 'utf8') }))
}

/** Returns the path of the file beside the migrations that create a table. */
function fileOfNew(table: string): string {
  const creates = new RegExp(`(?:CREATE TABLE|RENAME TO) ${table}\\b`)
  const creator = filesNamed('**/*.migrations.ts').find(({ text }) => creates.test(text))
  if (creator === undefined) throw new Error(`No file *.migrations.ts contains CREATE TABLE ${table}.`)
  return creator.path.replace('.migrations.ts', '.table.ts')
}

function emptyFile(path: string): string {
  const database = relative(dirname(path), 'store/database.ts').replace(/^(?!\.)/, './')
  return `declare module '${database}' {\n  interface Database {\n  }\n}\n`
}
