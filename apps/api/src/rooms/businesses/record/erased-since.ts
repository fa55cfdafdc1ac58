import type { Tx } from '../../../store/change/change.ts'

/** Returns true if a record of the tenant was erased at this time or later. Rows that were read before the erasure can contain its content. */
export async function wasErasedSince(tx: Tx, at: string): Promise<boolean> {
  const erased = await tx.db
    .selectFrom('erasures')
    .select('business_id')
    .where('tenant_id', '=', tx.actor.tenantId)
    .where('at', '>=', at)
    .limit(1)
    .executeTakeFirst()
  return erased !== undefined
}
