import type { Tx } from '../../../store/change/change.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { BusinessTable } from '../businesses.table.ts'
import { MAX_FAMILY } from '../family/max-family.ts'
import { getStoredRecord, isBlockedByHand } from '../family/merge-records.ts'

const survivor = prepared<{ tenantId: string; id: string }>()((db, param) =>
  db
    .selectFrom('businesses')
    .select('merged_into')
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('id')),
)

/** The records that this one was merged into, nearest first. */
export async function survivorsOf(tx: Tx, id: string): Promise<string[]> {
  const chain: string[] = []
  for (let one: string | null | undefined = id; chain.length < MAX_FAMILY; ) {
    one = (await survivor(tx.db, { tenantId: tx.actor.tenantId, id: one }))[0]?.merged_into
    if (one == null) break
    chain.push(one)
  }
  return chain
}

/**
 * Runs `work`, by which a block may go over from one record to others (the triggers of 0014 and 0045 carry it), and writes an event for each
 * record that it reached. From those of blocks by hand reports tell who was blocked at which time; what entries hold they read from its
 * matches, and the event tells the activity.
 */
export async function tellingCarriedBlocks(
  tx: Tx,
  { from, to }: { from: string; to: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  const { tenantId } = tx.actor
  const reached: BusinessTable[] = []
  for (const id of to) reached.push((await getStoredRecord(tx.db, tenantId, id)).business)
  await work()
  for (const before of reached) {
    const { id } = before
    const { business } = await getStoredRecord(tx.db, tenantId, id)
    const isNowByHand = isBlockedByHand(business) && !isBlockedByHand(before)
    if (!isNowByHand && business.do_not_contact === before.do_not_contact) continue
    await tx.record({
      action: isNowByHand ? 'business.block' : 'business.match_suppression',
      subject: { type: 'business', id },
      businessId: id,
      before: { doNotContact: before.do_not_contact === 1 },
      after: { doNotContact: true, carriedFrom: from },
      reason: business.blocked_reason,
    })
  }
}
