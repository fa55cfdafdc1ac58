import { answerRequests } from '../../lib/ask-thread.ts'
import { type Connection, openConnection } from '../engine/connection.ts'
import { sentError, storeErrorKind } from '../engine/store-errors.ts'
import type { ChainEnd, CopyAnswer, CopyRequest, RecordedCheckpoint, StoreReport } from './copy-store.ts'
import { schemaVersion } from './migrate.ts'

const PATIENCE_MS = 5_000
/** Maximum number of reported faults, because a file with very many faults would fill the screen. */
const MAX_DAMAGE = 10

answerRequests(answer)

function answer(request: CopyRequest): CopyAnswer {
  try {
    if ('check' in request) return check(request.check)
    copy(request.from, request.to)
    return check(request.to)
  } catch (error) {
    return sentError(error)
  }
}

/** Copies the store as of the beginning of the copy, in one read transaction. No writer waits for it. */
function copy(from: string, to: string): void {
  const source = openConnection(from, { readonly: true, busyTimeoutMs: PATIENCE_MS })
  try {
    source.prepare('VACUUM INTO ?').run(to)
  } finally {
    source.close()
  }
}

function check(file: string): StoreReport {
  const connection = openConnection(file, { readonly: true, busyTimeoutMs: PATIENCE_MS })
  try {
    const damage = damageOf(connection)
    const broken = damage.length > 0
    return {
      schemaVersion: schemaVersion(connection),
      counts: broken ? {} : countsOf(connection),
      chains: broken ? [] : chainsOf(connection),
      storeId: broken ? null : storeIdOf(connection),
      damage,
    }
  } catch (error) {
    if (storeErrorKind(error) === 'damaged')
      return { schemaVersion: 0, counts: {}, chains: [], storeId: null, damage: [sentError(error).error] }
    throw error
  } finally {
    connection.close()
  }
}

function damageOf(connection: Connection): string[] {
  const integrity = connection.prepare(`PRAGMA integrity_check(${MAX_DAMAGE})`).pluck().all().map(String)
  if (integrity[0] !== 'ok') return integrity
  const dangling = connection.prepare('SELECT "table", rowid FROM pragma_foreign_key_check LIMIT ?').all(MAX_DAMAGE)
  return dangling.map((row) => `foreign key: ${JSON.stringify(row)}`)
}

function countsOf(connection: Connection): Record<string, number> {
  const tables = connection
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .pluck()
    .all()
    .map(String)
  return Object.fromEntries(
    tables.map((name) => [name, Number(connection.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())]),
  )
}

/** Returns the last event of each tenant's chain. A query per tenant finds it, because grouping would read all events. */
function chainsOf(connection: Connection): ChainEnd[] {
  if (!hasTable(connection, 'audit_events')) return []
  const checkpoints = checkpointsOf(connection)
  return connection
    .prepare<[], ChainEnd>(
      `SELECT t.id AS tenantId, e.sequence, e.hash FROM tenants t JOIN audit_events e
         ON e.tenant_id = t.id AND e.sequence = (SELECT max(sequence) FROM audit_events WHERE tenant_id = t.id)
       ORDER BY t.id`,
    )
    .all()
    .map((end) => {
      const checkpoint = checkpoints.get(end.tenantId)
      return checkpoint === undefined ? end : { ...end, checkpoint }
    })
}

function storeIdOf(connection: Connection): string | null {
  if (!hasTable(connection, 'store_identity')) return null
  return String(connection.prepare('SELECT store_id FROM store_identity').pluck().get())
}

function checkpointsOf(connection: Connection): Map<string, RecordedCheckpoint> {
  if (!hasTable(connection, 'audit_checkpoints')) return new Map()
  return new Map(
    connection
      .prepare<[], RecordedCheckpoint & { tenantId: string }>(
        'SELECT tenant_id AS tenantId, sequence, number, line_hash AS lineHash FROM audit_checkpoints',
      )
      .all()
      .map(({ tenantId, ...checkpoint }) => [tenantId, checkpoint]),
  )
}

function hasTable(connection: Connection, name: string): boolean {
  return connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined
}
