import type { Connection } from './connection.ts'
import { migrations } from './migrations/index.ts'

/**
 * Brings the store to the schema of this code: forward only, each step in a transaction of its own that also
 * records it, so that a kill in the middle leaves the step undone. `user_version` holds the number of steps taken.
 * A store that is newer than the code is refused.
 */
export function migrate(connection: Connection): { from: number; to: number } {
  const from = schemaVersion(connection)
  if (from > migrations.length) {
    throw new Error(
      `The store has schema version ${from}, this program knows only ${migrations.length}. Start a newer program, or restore a backup of the older one.`,
    )
  }
  migrations.slice(from).forEach((migration, index) => {
    connection.exec('BEGIN IMMEDIATE')
    try {
      connection.exec(migration.sql)
      connection.pragma(`user_version = ${from + index + 1}`)
      connection.exec('COMMIT')
    } catch (cause) {
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw new Error(`Migration ${migration.name} failed; the store is as it was before it.`, { cause })
    }
  })
  return { from, to: migrations.length }
}

export function schemaVersion(connection: Connection): number {
  return Number(connection.pragma('user_version', { simple: true }))
}
