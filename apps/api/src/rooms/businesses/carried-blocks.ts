import type { Tx } from '../../store/change.ts'
import { prepared } from '../../store/prepared.ts'
import { MAX_FAMILY } from './max-family.ts'
import { getStoredRecord, isBlockedByHand } from './merge-records.ts'

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
 * Does what may carry a block by hand from one record to others, which the triggers of 0014 do, and tells each that it reached in its
 * own activity: reports read from there what was so at a time.
 */
export async function tellingCarriedBlocks(
  tx: Tx,
  { from, to }: { from: string; to: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  const { tenantId } = tx.actor
  const free: string[] = []
  for (const id of to) if (!isBlockedByHand((await getStoredRecord(tx.db, tenantId, id)).business)) free.push(id)
  await work()
  for (const id of free) {
    const { business } = await getStoredRecord(tx.db, tenantId, id)
    if (!isBlockedByHand(business)) continue
    await tx.record({
      action: 'business.block',
      subject: { type: 'business', id },
      businessId: id,
      before: { doNotContact: false },
      after: { doNotContact: true, carriedFrom: from },
      reason: business.blocked_reason,
    })
  }
}
