import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { selectAbandoned, updateExtraction } from '../extractions/extractions.queries.ts'

const AT_ONCE = 100

/** Ends extractions whose job has ended without them: it was cancelled, or it failed. Nothing of them was stored. */
export async function endAbandoned(store: Store, tenantId: string): Promise<number> {
  if ((await selectAbandoned(store.reader, tenantId, 1)).length === 0) return 0
  const actor = systemActor('contacts', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'extraction.end' }, async (tx) => {
    const abandoned = await selectAbandoned(tx.db, tenantId, AT_ONCE)
    if (abandoned.length === 0) return unchanged(0)
    for (const { id, businessId, isCancelled } of abandoned) {
      const [state, reason] = isCancelled
        ? (['cancelled', 'cancelled'] as const)
        : (['unknown', 'content_gone'] as const)
      const reasons = JSON.stringify([reason])
      await updateExtraction(tx.db, { tenantId, id }, { state, reasons, ended_at: tx.at })
      await tx.record({ subject: { type: 'extraction', id }, businessId, after: { state, reasons: [reason] } })
    }
    return abandoned.length
  })
  return value
}
