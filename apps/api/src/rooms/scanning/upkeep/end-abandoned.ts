import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { interruptPages, selectAbandoned, updateResult } from '../scans/scans.queries.ts'

const AT_ONCE = 100

/** Ends scans whose job was cancelled or failed. Facts that were already stored stay. */
export async function endAbandoned(store: Store, tenantId: string): Promise<number> {
  if ((await selectAbandoned(store.reader, tenantId, 1)).length === 0) return 0
  const actor = systemActor('scanning', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'scan.end' }, async (tx) => {
    const abandoned = await selectAbandoned(tx.db, tenantId, AT_ONCE)
    if (abandoned.length === 0) return unchanged(0)
    for (const { id, businessId, isCancelled } of abandoned) {
      const [state, reason] = isCancelled
        ? (['cancelled', 'cancelled'] as const)
        : (['incomplete', 'interrupted'] as const)
      await interruptPages(tx.db, { tenantId, id })
      await updateResult(tx.db, { tenantId, id }, { state, reasons: JSON.stringify([reason]), ended_at: tx.at })
      await tx.record({ subject: { type: 'scan', id }, businessId, after: { state, reasons: [reason] } })
    }
    return abandoned.length
  })
  return value
}
