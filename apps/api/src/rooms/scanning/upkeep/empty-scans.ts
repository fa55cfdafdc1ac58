import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { releaseWithChange } from '../pages/held-content.ts'
import { emptyScans, selectDueScans, selectScanIds } from '../scans/scans.queries.ts'

/** Scans emptied per change. */
const AT_ONCE = 100

/** Empties the scans of the businesses for an erasure; the rows stay. Returns the number of scans. */
export async function eraseScans(tx: Tx, businessIds: readonly string[]): Promise<number> {
  const { tenantId } = tx.actor
  const ids = await selectScanIds(tx.db, tenantId, businessIds)
  await emptyScans(tx.db, { tenantId, ids, at: tx.at })
  releaseWithChange(tx, ids)
  return ids.length
}

/** Empties the tenant's scans that are past their retention period, in bounded changes. */
export async function emptyDueScans(
  store: Store,
  tenantId: string,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let emptied = 0
  while (!isStopped()) {
    const now = store.clock().toISOString()
    if ((await selectDueScans(store.reader, { tenantId, now, limit: 1 })).length === 0) return emptied
    const actor = systemActor('scanning', tenantId)
    const { value } = await change(store, actor, { permission: null, action: 'scan.empty' }, async (tx) => {
      const due = await selectDueScans(tx.db, { tenantId, now, limit: AT_ONCE })
      if (due.length === 0) return unchanged(0)
      await overwriteFreedPages(tx, () => emptyScans(tx.db, { tenantId, ids: due, at: tx.at }))
      for (const id of due) await tx.record({ subject: { type: 'scan', id }, reason: 'The retention period ended.' })
      return due.length
    })
    if (value === 0) return emptied
    emptied += value
  }
  return emptied
}
