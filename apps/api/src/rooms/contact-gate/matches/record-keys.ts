import { sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import { unique } from '../../../lib/unique.ts'
import type { Tx } from '../../../store/change/change.ts'
import { prepared, preparedInsert } from '../../../store/engine/prepared.ts'
import { type ContactValue, type KeyRange, recordKeysOf } from '../keys/contact-keys.rules.ts'
import { MATCHED_AT_ONCE } from './matches.queries.ts'

/* Keys of a business's contact values, by which an entry finds the business. */

type RecordKey = { tenantId: string; key: string; businessId: string; source: 'record' | 'evidence' }

const insertRecordKey = preparedInsert(
  'suppression_record_keys',
  ['tenant_id', 'key', 'business_id', 'source'],
  'ignore',
)

const deleteRecordKey = prepared<RecordKey>()((db, param) =>
  db
    .deleteFrom('suppression_record_keys')
    .where('tenant_id', '=', param('tenantId'))
    .where('key', '=', param('key'))
    .where('business_id', '=', param('businessId'))
    .where('source', '=', param('source')),
)

/**
 * Replaces the keys of a business's own values. Only the businesses room writes identifiers, and it must call this function after every such write.
 */
export async function replaceRecordKeys(
  tx: Tx,
  businessId: string,
  keys: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const { tenantId } = tx.actor
  const source = 'record'
  for (const key of unique(keys.before))
    if (!keys.after.includes(key)) await deleteRecordKey(tx.db, { tenantId, key, businessId, source })
  for (const key of unique(keys.after))
    if (!keys.before.includes(key))
      await insertRecordKey(tx.db, { tenant_id: tenantId, key, business_id: businessId, source })
}

/** Adds the keys of a value that evidence contains. Neither evidence nor its keys are ever deleted, except by an erasure. */
export async function insertEvidenceKeys(tx: Tx, businessId: string, value: ContactValue): Promise<void> {
  const { tenantId } = tx.actor
  for (const key of recordKeysOf(value))
    await insertRecordKey(tx.db, { tenant_id: tenantId, key, business_id: businessId, source: 'evidence' })
}

/** Deletes all keys of an erased business, including those of its evidence. Its matches stay. */
export async function deleteRecordKeys(tx: Tx, businessId: string): Promise<void> {
  await tx.db
    .deleteFrom('suppression_record_keys')
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('business_id', '=', businessId)
    .execute()
}

/** Yields the ids of all businesses of the tenant that have a key in these ranges, in batches of limited size. */
export async function* businessesInRanges(tx: Tx, ranges: readonly KeyRange[]): AsyncGenerator<string[]> {
  const breathe = createBreather()
  for (const { from, to } of ranges) {
    let after: { key: string; businessId: string } | undefined = { key: from, businessId: '' }
    while (after !== undefined) {
      const rows = await keysAfter(tx, after, to)
      yield [...new Set(rows.map(({ businessId }) => businessId))]
      after = rows.length < MATCHED_AT_ONCE ? undefined : rows.at(-1)
      await breathe()
    }
  }
}

async function keysAfter(
  tx: Tx,
  after: { key: string; businessId: string },
  to: string,
): Promise<{ key: string; businessId: string }[]> {
  const { rows } = await sql<{ key: string; businessId: string }>`
    SELECT key, business_id AS businessId FROM suppression_record_keys
    WHERE tenant_id = ${tx.actor.tenantId} AND (key, business_id) > (${after.key}, ${after.businessId}) AND key < ${to}
    ORDER BY key, business_id LIMIT ${sql.lit(MATCHED_AT_ONCE)}`.execute(tx.db)
  return rows
}
