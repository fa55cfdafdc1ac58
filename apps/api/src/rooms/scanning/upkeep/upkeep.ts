import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant } from '../../identity/identity.ts'
import { heldContentOf } from '../pages/held-content.ts'
import { emptyDueScans } from './empty-scans.ts'
import { expireSites } from './expire-sites.ts'

const EVERY_MS = 30_000

type Upkeep = { store: Store; log: Pick<Logger, 'error'> }

/** Records approvals that ended, empties scans whose retention period has ended, and releases content whose minutes are over. */
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

/** One round over all tenants. */
export async function keepUp(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    if (isStopped()) return
    await expireSites(store, tenantId)
    await emptyDueScans(store, tenantId, isStopped)
  })
}
