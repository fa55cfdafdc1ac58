import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'

/** Returns the values of a row as one text. Bytes are decoded, so that the internal tables of the full-text index can be searched too. */
function textOf(row: readonly unknown[]): string {
  return row.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))).join('\n')
}

/** Returns the marks that occur in the text, in their plain form or as UTF-8 bytes decoded as Latin-1. */
function found(text: string, marks: readonly string[]): string[] {
  const lower = text.toLowerCase()
  return marks.filter((mark) => lower.includes(mark) || lower.includes(Buffer.from(mark).toString('latin1')))
}

/** Searches every table of the schema for these marks, including internal tables of the full-text index. Returns the found marks by table. */
export function marksInTables(dataDir: string, marks: readonly string[]): Record<string, string[]> {
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  const tables = connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all().map(String)
  const held = tables.map((name): [string, string[]] => {
    const rows = connection.prepare<[], unknown[]>(`SELECT * FROM "${name}"`).raw().all()
    return [name, [...new Set(rows.flatMap((row) => found(textOf(row), marks)))]]
  })
  connection.close()
  return Object.fromEntries(held.filter(([, what]) => what.length > 0))
}

/** Searches every file below a folder for these marks, byte by byte. Returns the found marks by file. */
export function marksInFiles(folder: string, marks: readonly string[]): Record<string, string[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const held = files.map(({ parentPath, name }): [string, string[]] => {
    const file = join(parentPath, name)
    return [relative(folder, file), found(readFileSync(file).toString('latin1'), marks)]
  })
  return Object.fromEntries(held.filter(([, what]) => what.length > 0))
}

/**
 * Searches a data folder whose database is open for these marks. Skips the write-ahead log, in which erased pages remain until it is overwritten.
 * Before that, copies the log into the database, which waits for readers of earlier states.
 */
export async function marksOutsideTheLog(dataDir: string, marks: readonly string[]): Promise<string[]> {
  const connection = openConnection(join(dataDir, STORE_FILE))
  await expect
    .poll(() => connection.pragma('wal_checkpoint(PASSIVE)'))
    .toEqual([expect.toSatisfy(({ log, checkpointed }) => log === checkpointed)])
  connection.close()
  return Object.keys(marksInFiles(dataDir, marks)).filter((file) => file !== `${STORE_FILE}-wal`)
}
