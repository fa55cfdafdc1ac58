import type { Kysely } from 'kysely'
import { isUnchanged, type Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { getBusiness } from '../businesses.queries.ts'
import { familyOf } from '../family/merge-records.ts'
import { blockBusiness } from './block-by-hand.ts'
import { isBlockedByHand } from './block-rows.ts'

/**
 * A record that is do not contact. `byHand`: the reason of its block by hand, null if entries alone block it. `family`: the record and all
 * that were merged into it, because a block made after a merge is meant for all of them, and the other store may lack the merge.
 */
export type BlockedRecord = { id: string; byHand: string | null; family: string[] }

const RECORDS_A_STEP = 50

/** A page of the tenant's records that are do not contact, in the order of their ids, from the one after `after`. Empty at the end. */
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

/** Blocks by hand the records that are blocked by hand in another store. Skips missing and erased ones. Returns how many were not blocked yet. */
export async function blockAllAgain(tx: Tx, records: readonly BlockedRecord[]): Promise<number> {
  const { tenantId } = tx.actor
  let blocked = 0
  for (const { byHand, family } of records) {
    if (byHand === null) continue
    for (const id of family) {
      if (!(await isHere(tx, id)) || (await getBusiness(tx.db, tenantId, id)).erasedAt !== null) continue
      if (!isUnchanged(await blockBusiness(tx, id, byHand))) blocked += 1
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
