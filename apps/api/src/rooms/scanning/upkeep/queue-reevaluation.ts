import type { Store } from '../../../store/store.ts'
import { ensureJob } from '../../jobs/jobs.ts'
import type { Upkeep } from '../../room.ts'
import { scanReevaluation } from '../scanning.jobs.ts'
import { currentVersions } from '../scans/read-scans.ts'
import { selectEvaluable } from '../scans/scans.queries.ts'

/** Queues the re-evaluation of the scans that other rules evaluated. */
export const queueScanReevaluation: Upkeep<{ store: Store }> = {
  name: 'queue the re-evaluation of scans',
  everyMs: 30_000,
  limit: 1,
  forTenant: async ({ store, tenantId, limit }) => {
    const db = store.backgroundOf(tenantId)
    const versions = await currentVersions(db, tenantId)
    const waiting = await selectEvaluable(db, { tenantId, versions, limit })
    if (waiting.length > 0) await ensureJob(store, scanReevaluation, { tenantId, by: 'scanning' })
  },
}
