import type { Tx } from '../../../store/change/change.ts'
import type { Db } from '../../../store/database.ts'
import { markByEntry } from '../../businesses/businesses.ts'
import {
  findLiveEntry,
  insertEntry,
  insertHistory,
  keysOfEntry,
  RULES_VERSION,
  recordKeyRanges,
  type SuppressionTable,
} from '../../contact-gate/contact-gate.ts'
import { deleteEvaluation } from '../reevaluation/evaluation.queries.ts'

/** An active entry with its keys. */
export type EntryInForce = SuppressionTable & { keys: string[] }

const ENTRIES_A_STEP = 50

/** Returns a page of the tenant's active entries, including tombstones, in the order of ids after `after`. Empty at the end. */
export async function entriesInForce(db: Db, tenantId: string, after: string): Promise<EntryInForce[]> {
  const entries = await db
    .selectFrom('suppressions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active')
    .where('id', '>', after)
    .orderBy('id')
    .limit(ENTRIES_A_STEP)
    .execute()
  const inForce: EntryInForce[] = []
  for (const entry of entries) inForce.push({ ...entry, keys: await keysOfEntry(db, tenantId, entry.id) })
  return inForce
}

/**
 * Copies entries from another store of the same tenant, with their provenance, and returns the number of copied entries. Skips an entry that exists
 * already, or whose keys all belong to active entries. Marks the records that an entry with a readable value matches. The records of a tombstone can
 * be found only by the gate, so the next start of the API queues a re-evaluation.
 */
export async function carryEntries(tx: Tx, entries: readonly EntryInForce[]): Promise<number> {
  const { tenantId } = tx.actor
  let carried = 0
  for (const { keys, ...entry } of entries) {
    const { id, kind, scope, original, reason, requested_by, channel, reference, requested_at } = entry
    // The entry may have more keys in the other store, if a later version added them. The re-evaluation that is due adds them here.
    if ((await isHere(tx, id)) || (await allStand(tx, keys))) continue
    await insertEntry(tx, entry, keys)
    const isTombstone = original === null
    const marked = isTombstone ? 0 : await markByEntry(tx, id, keys.flatMap(recordKeyRanges), 'entry')
    if (isTombstone || entry.rules_version !== RULES_VERSION) await deleteEvaluation(tx.db, tenantId)
    const provenance = { reason, requested_by, channel, reference, requested_at }
    await insertHistory(tx, id, { action: 'added', ...provenance, records: marked })
    await tx.record({
      action: isTombstone ? 'suppression.keep_tombstone' : 'suppression.add',
      subject: { type: 'suppression', id },
      after: { kind, ...(isTombstone ? {} : { scope, channel, reference }), businessesMarked: marked },
      reason,
    })
    carried += 1
  }
  return carried
}

async function isHere({ db, actor }: Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('suppressions')
    .select('id')
    .where('tenant_id', '=', actor.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

async function allStand(tx: Tx, keys: readonly string[]): Promise<boolean> {
  for (const key of keys) if ((await findLiveEntry(tx.db, tx.actor.tenantId, key)) === undefined) return false
  return true
}
