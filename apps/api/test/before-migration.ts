import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrations } from '../src/rooms/migrations.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { migrate } from '../src/store/files/migrate.ts'
import { temporaryFolder } from './temporary-store.ts'

/** Opens a new database with every migration before the named one. `runMigration` runs the named one. */
export function databaseBefore(name: string) {
  const at = migrations.findIndex((migration) => migration.name === name)
  if (at < 0) throw new Error(`No migration is named ${name}.`)
  const connection = openConnection(join(temporaryFolder(), 'test.sqlite'))
  onTestFinished(() => void connection.close())
  migrate(connection, { steps: migrations.slice(0, at) })
  return { connection, runMigration: () => migrate(connection, { steps: migrations.slice(0, at + 1) }) }
}
