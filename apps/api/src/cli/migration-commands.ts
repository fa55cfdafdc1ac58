import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { migrations } from '../rooms/migrations.ts'
import { openConnection } from '../store/engine/connection.ts'
import { isStoreThere } from '../store/files/enter-store.ts'
import { pendingMigrations, schemaVersion } from '../store/files/migrate.ts'
import { STORE_FILE } from '../store/files/store-files.ts'
import type { Migration } from '../store/migration.ts'
import { type Command, dataDirEnvironment, print, readOptions, say } from './command.ts'

export const migrationCommands: Command[] = [
  {
    name: 'migrations',
    options: '',
    does: 'shows the schema steps that the store has taken, and those that the next start would take. Changes nothing',
    run: async (args) => {
      readOptions(args, {})
      const { dataDir } = readConfig(dataDirEnvironment())
      if (!isStoreThere(dataDir)) say(`There is no store in ${resolve(dataDir)}: the first start there makes one.`)
      const { version, pending } = readSteps(join(dataDir, STORE_FILE))
      const copiedBefore = version === 0 ? undefined : pending.find(({ rewrites }) => rewrites)
      for (const migration of migrations) {
        const copied = migration === copiedBefore ? ', after a copy of the store' : ''
        print(`${migration.name}\t${pending.includes(migration) ? `would run${copied}` : 'taken'}`)
      }
      return 0
    },
  },
]

/** Returns the version of a store's schema and its pending steps. It does not use `openStore`, which would run the pending steps. */
function readSteps(file: string): { version: number; pending: readonly Migration[] } {
  if (!existsSync(file)) return { version: 0, pending: migrations }
  const connection = openConnection(file, { readonly: true, busyTimeoutMs: 5_000 })
  try {
    return { version: schemaVersion(connection), pending: pendingMigrations(connection, migrations) }
  } finally {
    connection.close()
  }
}
