import type { Tx } from '../../../store/change/change.ts'
import { changeTime, emptyRows } from '../../../store/change/empty-rows.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { ErasedTables, Upkeep } from '../../room.ts'
import { releaseWithChange } from '../pages/held-content.ts'
import { selectDueScans, selectScanIds } from '../scans/scans.queries.ts'

/** Tables of a scan without its pages, redirects, cache entries and URLs. Time, actor and outcome of the scan stay. */
export const emptiedScans = {
  scan_hops: { by: 'scan_id', of: 'scans', deletes: true },
  scan_pages: { by: 'scan_id', of: 'scans', deletes: true },
  scan_cache: { by: 'scan_id', of: 'scans', deletes: true, along: 'scan_cache_by_scan' },
  scans: { set: { url: null }, counts: 'scans' },
  scan_results: {
    by: 'scan_id',
    of: 'scans',
    set: { emptied_at: changeTime, expires_at: null, delete_after: null },
    where: { emptied_at: 'null' },
  },
} satisfies ErasedTables

/** Releases, with an erasure of the businesses, the content of their scans that this process still holds. */
export async function releaseContent(tx: Tx, businessIds: readonly string[]): Promise<void> {
  releaseWithChange(tx, await selectScanIds(tx.db, tx.actor.tenantId, businessIds))
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
        await overwriteFreedPages(tx, () => emptyRows(tx, emptiedScans, { of: 'scans', ids }))
        for (const id of ids) await tx.record({ subject: { type: 'scan', id }, reason: 'The retention period ended.' })
      },
    }),
}
