import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import type { Database } from '../../store/database.ts'
import { type Connection, openConnection } from '../../store/engine/connection.ts'
import { kyselyOver } from '../../store/engine/kysely-over.ts'
import { findKeys, type Keys } from '../../store/files/keys.ts'
import { pendingMigrations, schemaVersion } from '../../store/files/migrate.ts'
import { STORE_FILE } from '../../store/files/store-files.ts'
import type { Migration } from '../../store/migration.ts'

/** Time to wait for a restore that has locked the store. */
const PATIENCE_MS = 5_000

export type Reading = { connection: Connection; db: Kysely<Database>; dataDir: string; keys: Keys }

/**
 * Opens the store read-only, with the keys beside it, in a process that serves no requests. Changes nothing and blocks no writer. Errors: `conflict`
 * (the store has another schema than this program); those of `read`.
 */
export async function readStore<T>(
  { dataDir, migrations }: { dataDir: string; migrations: readonly Migration[] },
  read: (from: Reading) => Promise<T>,
): Promise<T> {
  const keys = findKeys(dataDir)
  if (keys === undefined) throw new Error(`there is no store with its keys in ${dataDir}`)
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true, busyTimeoutMs: PATIENCE_MS })
  try {
    requireOwnSchema(connection, migrations)
    return await read({ connection, db: kyselyOver(connection), dataDir, keys })
  } finally {
    connection.close()
  }
}

function requireOwnSchema(connection: Connection, migrations: readonly Migration[]): void {
  if (pendingMigrations(connection, migrations).length === 0) return
  throw new AppError(
    'conflict',
    `The store has schema version ${schemaVersion(connection)}, and this program reads version ${migrations.length}. Use the program of the store's version, or start the API of this version first.`,
  )
}
