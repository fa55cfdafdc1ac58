import { sql } from 'kysely'
import { actorKey } from '../../../lib/actor.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import { alongIndex } from '../../../store/engine/dialect.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import type { HistoryAction, SuppressionHistoryTable, SuppressionTable } from '../contact-gate.table.ts'
import { RULES_VERSION } from '../keys/contact-keys.rules.ts'

/*
 * Rows of suppression entries, their keys and their history. They are in this room because the gate reads them, and because rooms that may not import
 * the suppression room write tombstones. These functions record no audit event and mark no business.
 */

const insertRow = preparedInsert('suppressions', [
  'tenant_id',
  'id',
  'kind',
  'scope',
  'original',
  'normalized',
  'region',
  'rules_version',
  'reason',
  'requested_by',
  'channel',
  'reference',
  'requested_at',
  'created_at',
  'created_by',
  'confirmed_at',
  'tombstone',
  'status',
  'ended_at',
  'ended_by',
  'ended_reason',
])

const insertKey = preparedInsert('suppression_keys', ['tenant_id', 'key', 'suppression_id', 'live'], 'ignore')

const insertHistoryRow = preparedInsert('suppression_history', [
  'tenant_id',
  'id',
  'suppression_id',
  'at',
  'actor',
  'action',
  'reason',
  'requested_by',
  'channel',
  'reference',
  'requested_at',
  'records',
])

const liveEntriesOfKey = prepared<{ tenantId: string; key: string }>()((db, param) =>
  db
    .selectFrom('suppression_keys')
    .select('suppression_id')
    .where('tenant_id', '=', param('tenantId'))
    .where('key', '=', param('key'))
    .where('live', '=', sql.lit<1>(1))
    .limit(1),
)

/** Inserts an entry with its keys. The caller must mark the matching businesses, insert the history and record the event. */
export async function insertEntry(tx: Tx, row: SuppressionTable, keys: readonly string[]): Promise<void> {
  await insertRow(tx.db, row)
  await insertEntryKeys(tx, row.id, keys)
}

/** Adds keys to an entry. Ignores a key that the entry already has. */
export async function insertEntryKeys(tx: Tx, suppressionId: string, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await insertKey(tx.db, { tenant_id: tx.actor.tenantId, key, suppression_id: suppressionId, live: 1 })
}

export async function keysOfEntry(db: Db, tenantId: string, suppressionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('suppression_keys')
    .select('key')
    .where('tenant_id', '=', tenantId)
    .where('suppression_id', '=', suppressionId)
    .execute()
  return rows.map(({ key }) => key)
}

/** Returns the id of the active entry with exactly this key, or undefined. */
export async function findLiveEntry(db: Db, tenantId: string, key: string): Promise<string | undefined> {
  const [row] = await liveEntriesOfKey(db, { tenantId, key })
  return row?.suppression_id
}

type HistoryEntry = { action: HistoryAction; reason: string; records: number } & Partial<
  Pick<SuppressionHistoryTable, 'requested_by' | 'channel' | 'reference' | 'requested_at'>
>

export async function insertHistory(tx: Tx, suppressionId: string, entry: HistoryEntry): Promise<void> {
  await insertHistoryRow(tx.db, {
    tenant_id: tx.actor.tenantId,
    id: newId(),
    suppression_id: suppressionId,
    at: tx.at,
    actor: actorKey(tx.actor),
    requested_by: null,
    channel: null,
    reference: null,
    requested_at: null,
    ...entry,
  })
}

/** Restarts the review term of an active entry, because a person requested the entry again. */
export async function confirmEntry(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('suppressions')
    .set({ confirmed_at: tx.at })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .execute()
}

/** Records that the entry has the keys of the present rules. */
export async function saveEntryRules(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('suppressions')
    .set({ rules_version: RULES_VERSION })
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('id', '=', id)
    .execute()
}

/** Ends an entry. The entry and its keys stay but no longer block. The caller must end its matches and unmark the businesses. */
export async function endEntry(tx: Tx, id: string, reason: string): Promise<void> {
  const { tenantId } = tx.actor
  await tx.db
    .updateTable('suppressions')
    .set({ status: 'removed', ended_at: tx.at, ended_by: actorKey(tx.actor), ended_reason: reason })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  // Names the index, because SQLite would otherwise read the keys of all entries.
  await sql`
    UPDATE suppression_keys ${alongIndex('suppression_keys_by_entry')} SET live = 0
    WHERE tenant_id = ${tenantId} AND suppression_id = ${id}`.execute(tx.db)
}
