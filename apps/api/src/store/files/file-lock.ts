import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { storeErrorKind } from '../engine/store-errors.ts'

export type FileLock = { release(): void }

/**
 * A lock between processes, on a file of its own that stays empty: SQLite's lock on it, which the system lets go when its holder
 * dies, however it dies. `alone` excludes everybody; otherwise any number hold it together, and exclude whoever wants it alone.
 * Undefined when it could not be had within `patienceMs`. Nothing else may open the file: closing it would let the lock go.
 */
export function takeLock(file: string, options: { alone: boolean; patienceMs: number }): FileLock | undefined {
  mkdirSync(dirname(file), { recursive: true })
  const connection = new BetterSqlite3(file, { timeout: options.patienceMs })
  try {
    connection.exec(options.alone ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT count(*) FROM sqlite_schema')
    return { release: () => void connection.close() }
  } catch (error) {
    connection.close()
    if (storeErrorKind(error) === 'busy') return undefined
    throw error
  }
}
