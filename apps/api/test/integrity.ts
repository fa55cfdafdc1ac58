import { join } from 'node:path'
import { checkRecords, type RecordsChecked } from '../src/rooms/health/integrity/check-records.ts'
import { readStore } from '../src/rooms/health/read-store.ts'
import { migrations } from '../src/rooms/migrations.ts'
import { openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'

/** Checks the integrity of a tenant's records, as the command line does while the API runs. */
export function integrityOf(dataDir: string, tenantId: string): Promise<RecordsChecked> {
  return readStore({ dataDir, migrations }, (reading) => checkRecords(reading, tenantId))
}

/**
 * Edits the store with SQL, outside the product: without constraint checks and foreign keys and, if requested, without triggers. Returns the number
 * of changed rows.
 */
export function editBehind(dataDir: string, statement: string, { withoutTriggers = false } = {}): number {
  const connection = openConnection(join(dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  connection.pragma('foreign_keys = OFF')
  connection.pragma('ignore_check_constraints = ON')
  const triggers = connection
    .prepare<[], { name: string; sql: string }>(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
    .all()
  if (withoutTriggers) for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`)
  const { changes } = connection.prepare(statement).run()
  if (withoutTriggers) for (const { sql } of triggers) connection.exec(sql)
  connection.close()
  return changes
}
