import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../lib/app-error.ts'
import { type Connection, openConnection } from '../engine/connection.ts'
import type { Migration } from '../migration.ts'
import { syncFile, syncFolder } from './durable-files.ts'
import type { FileLock } from './file-lock.ts'
import { migrate, pendingMigrations, schemaVersion } from './migrate.ts'
import { alone, enterTogether, OPENING_PATIENCE_MS } from './presence.ts'
import { BEFORE_MIGRATIONS_FOLDER, STORE_FILE } from './store-files.ts'
import { finishSwap, isSwapUnfinished } from './swap-store.ts'

/** Number of copies made before migrations that are not deleted; the newest ones stay. */
export const COPIES_BEFORE_MIGRATIONS = 3

/**
 * True if the folder contains a store to open. A killed first start leaves an empty file, which does not count. A killed swap may have moved the
 * former store away already, which counts.
 */
export function isStoreThere(dataDir: string): boolean {
  return isSwapUnfinished(dataDir) || (statSync(join(dataDir, STORE_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Requires an existing store. Commands that read a store call it first, because opening would create an empty store in a wrong folder. Errors:
 * `not_found`.
 */
export function requireStore(dataDir: string): void {
  if (isStoreThere(dataDir)) return
  throw new AppError('not_found', `There is no store in ${resolve(dataDir)}. Set DATA_DIR to the folder that has it.`)
}

/**
 * Receives the number of migrations that an older store needs before it is opened, so that an operator does not mistake a start of minutes for a
 * hang.
 */
export type OnUpgrade = (steps: number) => void

/**
 * Opens the store for writing at the schema of `migrations`, and takes the shared lock that shows that the store is in use. Work that needs exclusive
 * use (completing an interrupted restore, a migration) is done first. Errors: `unavailable` if another program uses the store and does not release
 * it; `conflict` if the store is newer than the code.
 */
export function enterStore(
  dataDir: string,
  migrations: readonly Migration[],
  onUpgrade: OnUpgrade = () => {},
): { writing: Connection; presence: FileLock } {
  if (isSwapUnfinished(dataDir)) alone(dataDir, () => finishSwap(dataDir))
  const presence = enterTogether(dataDir)
  const writing = openConnection(join(dataDir, STORE_FILE), { busyTimeoutMs: OPENING_PATIENCE_MS })
  try {
    if (pendingMigrations(writing, migrations).length === 0) return { writing, presence }
  } catch (error) {
    leave(writing, presence)
    throw error
  }
  leave(writing, presence)
  alone(dataDir, () => bringUpToDate(dataDir, migrations, onUpgrade))
  return {
    presence: enterTogether(dataDir),
    writing: openConnection(join(dataDir, STORE_FILE), { busyTimeoutMs: OPENING_PATIENCE_MS }),
  }
}

function leave(connection: Connection, presence: FileLock): void {
  connection.close()
  presence.release()
}

function bringUpToDate(dataDir: string, steps: readonly Migration[], onUpgrade: OnUpgrade): void {
  const connection = openConnection(join(dataDir, STORE_FILE), { busyTimeoutMs: OPENING_PATIENCE_MS })
  try {
    const pending = pendingMigrations(connection, steps).length
    if (schemaVersion(connection) > 0 && pending > 0) onUpgrade(pending)
    migrate(connection, { steps, copyBeforeMigration: (next) => copyBeforeMigration(connection, dataDir, next) })
  } finally {
    connection.close()
  }
}

/** Copies the store before a migration. The copy gets its final name when it is complete. Deletes the oldest copies beyond the limit. */
export function copyBeforeMigration(connection: Connection, dataDir: string, next: Migration): void {
  const folder = join(dataDir, BEFORE_MIGRATIONS_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const copy = join(folder, `before-${next.name}.sqlite`)
  const draft = `${copy}.partial`
  if (existsSync(draft)) rmSync(draft)
  connection.prepare('VACUUM INTO ?').run(draft)
  syncFile(draft)
  renameSync(draft, copy)
  syncFolder(folder)
  const copies = readdirSync(folder).filter((name) => name.endsWith('.sqlite'))
  for (const name of copies.sort().slice(0, -COPIES_BEFORE_MIGRATIONS)) rmSync(join(folder, name))
}
