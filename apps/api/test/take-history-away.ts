import { join } from 'node:path'
import { openConnection } from '../src/store/engine/connection.ts'
import { STORE_FILE } from '../src/store/store.ts'

/** Acts as an attacker who can write to the file: deletes the tenant and all of its history in spite of every trigger and foreign key. */
export function takeHistoryAway(dataDir: string, tenantId: string): void {
  const connection = openConnection(join(dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  connection.pragma('foreign_keys = OFF')
  connection.exec('DROP TRIGGER audit_events_loses_no_rows')
  connection.prepare('DELETE FROM audit_events WHERE tenant_id = ?').run(tenantId)
  connection.prepare('DELETE FROM tenants WHERE id = ?').run(tenantId)
  connection.close()
}
