import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { emptyDueExchanges } from '../suggestions/suggestions.queries.ts'
import { expirePolicies, followChanges } from './follow-changes.ts'

const EVERY_MS = 5_000
const EMPTIED_AT_ONCE = 100

type Upkeep = { store: Store; adapters: LoadedAdapters; log: Pick<Logger, 'error'> }

export function startUpkeep({ store, adapters, log }: Upkeep): Loop {
  return everyInOneProcess(store, {
    name: 'assist',
    ms: EVERY_MS,
    work: (isStopped) => keepUp(store, adapters, isStopped),
    log,
    failed: 'the upkeep of assistance failed',
  })
}

/** One round over all tenants: ended policies and suggestions, and exchanges whose retention period has ended. */
export async function keepUp(
  store: Store,
  adapters: LoadedAdapters,
  isStopped: () => boolean = () => false,
): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    if (isStopped()) return
    await expirePolicies(store, tenantId)
    await followChanges(store, tenantId, adapters, isStopped)
    await emptyExchanges(store, tenantId)
  })
}

async function emptyExchanges(store: Store, tenantId: string): Promise<void> {
  const actor = systemActor('assist', tenantId)
  let emptied: number
  do {
    const { value } = await change(store, actor, { permission: null, action: 'assist.empty' }, async (tx) => {
      let count = 0
      await overwriteFreedPages(tx, async () => {
        count = await emptyDueExchanges(tx.db, tenantId, tx.at, EMPTIED_AT_ONCE)
      })
      if (count === 0) return unchanged(0)
      await tx.record({ subject: { type: 'tenant', id: tenantId }, after: { exchanges: count } })
      return count
    })
    emptied = value
  } while (emptied === EMPTIED_AT_ONCE)
}
