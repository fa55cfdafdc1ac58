import type { Tx } from '../../../store/change/change.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { releaseWithChange } from '../pages/held-content.ts'
import { emptyScans, selectDueScans, selectScanIds } from '../scans/scans.queries.ts'

/** Empties the scans of the businesses for an erasure; the rows stay. Returns the number of scans. */
export async function eraseScans(tx: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = tx.actor
  const ids = await selectScanIds(tx.db, tenantId, businessIds)
  await emptyScans(tx.db, { tenantId, ids, at: tx.at })
  releaseWithChange(tx, ids)
  return ids.length
}

/** Empties scans past their retention period. */
export const emptyDueScans: Upkeep<{ store: Store }> = {
  name: 'empty scans',
  everyMs: 30_000,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('scanning', context.tenantId),
      action: 'scan.empty',
      due: selectDueScans,
      apply: async (tx, ids) => {
        await overwriteFreedPages(tx, () => emptyScans(tx.db, { tenantId: tx.actor.tenantId, ids, at: tx.at }))
        for (const id of ids) await tx.record({ subject: { type: 'scan', id }, reason: 'The retention period ended.' })
      },
    }),
}
