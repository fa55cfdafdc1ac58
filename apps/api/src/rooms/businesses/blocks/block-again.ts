import type { Kysely } from 'kysely'
import { isUnchanged, type Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { getBusiness } from '../businesses.queries.ts'
import { familyOf } from '../family/merge-records.ts'
import { blockBusiness } from './block-by-hand.ts'
import { isBlockedByHand } from './block-rows.ts'

/**
 * A do not contact record of another store. `byHand`: the reason of its manual block; null if only suppression entries block it. `family`: the record
 * and all records merged into it, because the block applies to all of them and this store may lack the merge.
 */
export type BlockedRecord = { id: string; byHand: string | null; family: string[] }

const RECORDS_A_STEP = 50

/** Returns a page of the tenant's do not contact records in the order of ids, beginning after the id `after`. Returns an empty list at the end. */
export async function blockedRecords(db: Kysely<Database>, tenantId: string, after: string): Promise<BlockedRecord[]> {
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'do_not_contact', 'blocked_through', 'blocked_reason'])
    .where('tenant_id', '=', tenantId)
    .where('do_not_contact', '=', 1)
    .where('id', '>', after)
    .orderBy('id')
    .limit(RECORDS_A_STEP)
    .execute()
  const records: BlockedRecord[] = []
  for (const row of rows) {
    const byHand = isBlockedByHand(row) ? row.blocked_reason : null
    records.push({ id: row.id, byHand, family: await familyOf(db, tenantId, row.id) })
  }
  return records
}

/**
 * Blocks those records manually that are blocked manually in the other store. Skips missing and erased records. Returns the number of records that
 * were not blocked before.
 */
export async function blockAllAgain(tx: Tx, records: readonly BlockedRecord[]): Promise<number> {
  const { tenantId } = tx.actor
  let blocked = 0
  for (const { byHand, family } of records) {
    if (byHand === null) continue
    for (const id of family) {
      if (!(await isHere(tx, id)) || (await getBusiness(tx.db, tenantId, id)).erasedAt !== null) continue
      if (!isUnchanged(await blockBusiness(tx, id, byHand, { replacesCopy: false }))) blocked += 1
    }
  }
  return blocked
}

async function isHere({ db, actor }: Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('businesses')
    .select('id')
    .where('tenant_id', '=', actor.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}
