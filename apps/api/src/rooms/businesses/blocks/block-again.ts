import type { Kysely } from 'kysely'
import { isUnchanged, type Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { getBusiness } from '../businesses.queries.ts'
import { familyOf } from '../family/merge-records.ts'
import { blockBusiness } from './block-by-hand.ts'
import { isBlockedByHand } from './block-rows.ts'

/**
 * A record that is do not contact; `byHand` is the reason of who blocked it, null where entries alone hold it. `family`: itself and all that were
 * merged into it. A block that was made after a merge is meant for what they are together, and the merge may not be in another store.
 */
export type BlockedRecord = { id: string; byHand: string | null; family: string[] }

const RECORDS_A_STEP = 50

/** Records of a tenant that are do not contact, after the one with the id `after` and in the order of their ids; none are left when it answers none. */
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

/** Blocks by hand what was so blocked in another store. Answers how many were not yet; those that are not here, or were erased, are left. */
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
