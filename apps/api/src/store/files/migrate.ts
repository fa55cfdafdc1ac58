import { AppError } from '../../lib/app-error.ts'
import type { Connection } from '../engine/connection.ts'
import { storeFailure } from '../engine/failures.ts'
import { migrations } from '../migrations/index.ts'
import type { Migration } from '../migrations/migration.ts'

export type MigrateOptions = {
  steps?: readonly Migration[]
  /** Keeps a copy of the store as it is; called before the first step that rewrites a table, unless the store is new. */
  keepCopy?: (next: Migration) => void
}

/**
 * Brings the store to the schema of this code: forward only, each step in a transaction of its own that also
 * records it, so that a kill in the middle leaves the step undone. `user_version` holds the number of steps taken.
 * A store that is newer than the code is refused.
 */
export function migrate(
  connection: Connection,
  { steps = migrations, keepCopy }: MigrateOptions = {},
): { from: number; to: number } {
  const from = schemaVersion(connection)
  const pending = pendingMigrations(from, steps)
  const firstRewriting = from === 0 ? undefined : pending.find(({ rewrites }) => rewrites)
  pending.forEach((migration, index) => {
    if (migration === firstRewriting) keepCopy?.(migration)
    takeStep(connection, migration, from + index + 1)
  })
  return { from, to: steps.length }
}

/** What would run on a store of this version. Errors: `conflict` when the store is newer than this program. */
export function pendingMigrations(version: number, steps: readonly Migration[] = migrations): readonly Migration[] {
  if (version > steps.length) {
    throw new AppError(
      'conflict',
      `The store has schema version ${version}, this program knows only ${steps.length}. Start a newer program, or restore a backup of the older one.`,
    )
  }
  return steps.slice(version)
}

function takeStep(connection: Connection, migration: Migration, version: number): void {
  connection.exec('BEGIN IMMEDIATE')
  try {
    // Of two programs that start at once, one waited here for the other and finds the step taken.
    if (schemaVersion(connection) < version) {
      if (migration.editsSchema) openSchema(connection)
      connection.exec(migration.sql)
      if (migration.editsSchema) requireReadable(connection)
      connection.pragma(`user_version = ${version}`)
    }
    connection.exec('COMMIT')
  } catch (cause) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw stepFailure(migration, cause)
  } finally {
    if (migration.editsSchema) closeSchema(connection)
  }
}

function openSchema(connection: Connection): void {
  connection.unsafeMode(true)
  connection.pragma('writable_schema = ON')
}

/** Before it is kept: a store whose schema cannot be read is opened by no program. */
function requireReadable(connection: Connection): void {
  closeSchema(connection)
  connection.prepare('SELECT count(*) FROM sqlite_schema').get()
}

/** Reads it anew as well: this connection does not know by itself that it edited the schema. */
function closeSchema(connection: Connection): void {
  connection.pragma('writable_schema = RESET')
  connection.unsafeMode(false)
}

/** What an operator can mend, such as a full disk, is told as that; anything else is a fault of the step or a store that it was not made for. */
function stepFailure({ name }: Migration, cause: unknown): Error {
  const failure = storeFailure(cause)
  if (failure instanceof AppError)
    return new AppError(failure.code, `Migration ${name} could not be taken. ${failure.message}`, failure.details)
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(`Migration ${name} failed (${why}); it was undone, and those before it stay.`, { cause })
}

export function schemaVersion(connection: Connection): number {
  return Number(connection.pragma('user_version', { simple: true }))
}
