import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { storeErrorKind } from '../engine/store-errors.ts'

export type FileLock = { release(): void }

/**
 * Takes a lock between processes on a separate empty file. It is SQLite's file lock, which the system releases when the owner dies for any reason.
 * With `alone` the lock is exclusive, otherwise it is shared and excludes exclusive owners. Returns undefined if the lock is not free within
 * `patienceMs`. Nothing else may open the file, because closing it would release the lock.
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
