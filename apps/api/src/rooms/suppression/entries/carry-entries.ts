import type { Kysely } from 'kysely'
import type { Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
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

type Db = Kysely<Database>

/** An entry as a store holds it, with the keys by which it matches. */
export type EntryInForce = SuppressionTable & { keys: string[] }

const ENTRIES_A_STEP = 50

/** Entries of a tenant in force after the one with the id `after`, tombstones among them, in the order of their ids; none are left when it answers none. */
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
 * Takes entries over that another store of the same tenant holds, each as it stands there, with who asked for it and when. One that is here, or
 * whose keys all stand here, adds nothing. Records that a readable one matches are marked at once; whom a tombstone is about is found by asking the gate of
 * every record, so the tenant is to be evaluated anew. Answers how many were taken over.
 */
export async function carryEntries(tx: Tx, entries: readonly EntryInForce[]): Promise<number> {
  const { tenantId } = tx.actor
  let carried = 0
  for (const { keys, ...entry } of entries) {
    const { id, kind, scope, original, reason, requested_by, channel, reference, requested_at } = entry
    // Rules of a later version may have given it another key there; the evaluation by them that is due here does, too.
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
