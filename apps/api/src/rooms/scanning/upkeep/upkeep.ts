import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant } from '../../identity/identity.ts'
import { ensureJob } from '../../jobs/jobs.ts'
import { heldContentOf } from '../pages/held-content.ts'
import { scanReevaluation } from '../scanning.jobs.ts'
import { currentVersions } from '../scans/read-scans.ts'
import { selectEvaluable } from '../scans/scans.queries.ts'
import { emptyDueScans } from './empty-scans.ts'
import { expireSites } from './expire-sites.ts'

const EVERY_MS = 30_000

type Upkeep = { store: Store; log: Pick<Logger, 'error'> }

/**
 * Records expired approvals, queues the re-evaluation after the rules changed, empties scans past their retention period, and releases expired page
 * content.
 */
export function startUpkeep({ store, log }: Upkeep): { stop(): Promise<void> } {
  const loop: Loop = everyInOneProcess(store, {
    name: 'scanning',
    ms: EVERY_MS,
    work: (isStopped) => keepUp(store, isStopped),
    log,
    failed: 'the upkeep of scans failed',
  })
  const release = setInterval(() => heldContentOf(store).releaseExpired(), EVERY_MS).unref()
  return {
    stop: async () => {
      clearInterval(release)
      await loop.stop()
    },
  }
}

/** Runs one round over all tenants. */
export async function keepUp(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    if (isStopped()) return
    await expireSites(store, tenantId)
    if (await hasEvaluable(store, tenantId)) await ensureJob(store, scanReevaluation, { tenantId, by: 'scanning' })
    await emptyDueScans(store, tenantId, isStopped)
  })
}

async function hasEvaluable(store: Store, tenantId: string): Promise<boolean> {
  const waiting = await selectEvaluable(store.backgroundOf(tenantId), { tenantId, versions: currentVersions, limit: 1 })
  return waiting.length > 0
}
