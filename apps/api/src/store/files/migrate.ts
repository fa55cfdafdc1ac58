import { AppError } from '../../lib/app-error.ts'
import type { Connection } from '../engine/connection.ts'
import { storeFailure } from '../engine/failures.ts'
import type { Migration } from '../migration.ts'

/** Value of `application_id` that marks a file as a store of this product, from the schema of 2026-11-25 on. It is "Pros" in ASCII. */
const APPLICATION_ID = 0x50726f73

const TAKEN = 'CREATE TABLE IF NOT EXISTS schema_steps (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID'

export type MigrateOptions = {
  steps: readonly Migration[]
  /** Copies the store. It is called before the first step that rewrites a table, unless the store is new. */
  copyBeforeMigration?: (next: Migration) => void
}

/**
 * Migrates the store to the schema of this code. Migrations only go forward. Each step has its own transaction, which also inserts the step's name
 * into `schema_steps`, so a killed step is undone as a whole. Returns the number of applied steps before and after. Errors: those of
 * `pendingMigrations`; `unavailable` if a step fails.
 */
export function migrate(
  connection: Connection,
  { steps, copyBeforeMigration }: MigrateOptions,
): { from: number; to: number } {
  const from = schemaVersion(connection)
  const pending = pendingMigrations(connection, steps)
  const firstRewriting = from === 0 ? undefined : pending.find(({ rewrites }) => rewrites)
  for (const migration of pending) {
    if (migration === firstRewriting) copyBeforeMigration?.(migration)
    takeStep(connection, migration)
  }
  return { from, to: steps.length }
}

/**
 * Returns the steps that were not yet applied to the store. Errors: `conflict` if a step unknown to this program was applied, or if the store was
 * created before the schema of 2026-11-25 or by another program.
 */
export function pendingMigrations(connection: Connection, steps: readonly Migration[]): readonly Migration[] {
  requireUpgradable(connection)
  const taken = takenSteps(connection)
  const known = new Set(steps.map(({ name }) => name))
  const unknown = taken.find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new AppError(
      'conflict',
      `The store has schema version ${taken.length} with the step ${unknown}, which this program does not know. Start a newer program, or restore a backup of the older one.`,
    )
  }
  return steps.filter(({ name }) => !taken.includes(name))
}

/** Returns the number of steps that were applied to the store; 0 for a new store. */
export function schemaVersion(connection: Connection): number {
  return takenSteps(connection).length
}

function takenSteps(connection: Connection): string[] {
  const hasSteps = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_steps'`).get() !== undefined
  if (!hasSteps) return []
  return connection.prepare<[], string>('SELECT name FROM schema_steps ORDER BY name').pluck().all()
}

function requireUpgradable(connection: Connection): void {
  const isEmpty = connection.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (isEmpty || connection.pragma('application_id', { simple: true }) === APPLICATION_ID) return
  throw new AppError(
    'conflict',
    'This store was made by a development version before 0.2.0, or by another program, and cannot be upgraded. Set DATA_DIR to an empty folder, or use the version that made the store.',
  )
}

function takeStep(connection: Connection, migration: Migration): void {
  connection.exec('BEGIN IMMEDIATE')
  try {
    connection.exec(TAKEN)
    connection.pragma(`application_id = ${APPLICATION_ID}`)
    const insert = connection.prepare('INSERT INTO schema_steps (name) VALUES (?) ON CONFLICT DO NOTHING')
    // If two processes start at the same time, the second one waits for the lock. It then finds the step recorded and skips it.
    if (insert.run(migration.name).changes === 1) connection.exec(migration.sql)
    connection.exec('COMMIT')
  } catch (cause) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw stepFailure(migration, cause)
  }
}

function stepFailure({ name }: Migration, cause: unknown): Error {
  const failure = storeFailure(cause)
  if (failure instanceof AppError)
    return new AppError(failure.code, `Migration ${name} could not be taken. ${failure.message}`, failure.details)
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(`Migration ${name} failed (${why}); it was rolled back, and earlier steps stay.`, { cause })
}
