import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'

/** Returns a row's values as one text, with bytes decoded, so that the shadow tables of the text index are searched too. */
function textOf(row: readonly unknown[]): string {
  return row.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))).join('\n')
}

/** Searches text. `bytes` is searched raw, for texts with non-ASCII characters. */
function found(text: string, marks: readonly string[]): string[] {
  const lower = text.toLowerCase()
  return marks.filter((mark) => lower.includes(mark) || lower.includes(Buffer.from(mark).toString('latin1')))
}

/** Searches every table of the schema, including shadow tables, for these texts. */
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

/** Searches every file below a folder for these texts, byte by byte. */
export function marksInFiles(folder: string, marks: readonly string[]): Record<string, string[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const held = files.map(({ parentPath, name }): [string, string[]] => {
    const file = join(parentPath, name)
    return [relative(folder, file), found(readFileSync(file).toString('latin1'), marks)]
  })
  return Object.fromEntries(held.filter(([, what]) => what.length > 0))
}

/**
 * Searches a data folder whose database is open, except the write-ahead log, in which erased pages stay until it is overwritten. Copies the log into
 * the database first, which waits for readers of earlier states.
 */
export async function marksOutsideTheLog(dataDir: string, marks: readonly string[]): Promise<string[]> {
  const connection = openConnection(join(dataDir, STORE_FILE))
  await expect
    .poll(() => connection.pragma('wal_checkpoint(PASSIVE)'))
    .toEqual([expect.toSatisfy(({ log, checkpointed }) => log === checkpointed)])
  connection.close()
  return Object.keys(marksInFiles(dataDir, marks)).filter((file) => file !== `${STORE_FILE}-wal`)
}
