import { actorKey } from '../../../lib/actor.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { ErasureTable } from '../businesses.table.ts'

/** Marks these records as erased: a record and all records merged into it. `rootId`: the id of the erased record. */
export async function insertErasures(tx: Tx, rootId: string, ids: readonly string[]): Promise<void> {
  const { tenantId } = tx.actor
  const rows = ids.map(
    (id): ErasureTable => ({
      tenant_id: tenantId,
      business_id: id,
      root_id: rootId,
      at: tx.at,
      actor: actorKey(tx.actor),
    }),
  )
  await tx.db.insertInto('erasures').values(rows).execute()
}

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
