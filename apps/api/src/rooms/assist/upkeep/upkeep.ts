import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { APPROVAL_DAYS, daysLater, PROPOSAL_DAYS } from '../bounds.ts'
import { findApproved } from '../policies/policies.queries.ts'
import { expirePolicy } from '../policies/policies.ts'
import { endChanged } from '../suggestions/end-changed.ts'
import { emptyDueExchanges, hasDueExchanges, selectOutlived } from '../suggestions/suggestions.queries.ts'

const EVERY_MS = 5_000
/** Suggestions, or exchanges, of one step. */
const AT_ONCE = 100

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

/**
 * One round over all tenants for what ends by time: policies, suggestions, and exchanges whose retention period has ended. Each step reads first and
 * opens a write transaction only if something is due. Other ends are stored by `suggestionFollower`.
 */
export async function keepUp(
  store: Store,
  adapters: LoadedAdapters,
  isStopped: () => boolean = () => false,
): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    if (isStopped()) return
    await expirePolicies(store, tenantId)
    await expireSuggestions(store, adapters, tenantId, isStopped)
    await emptyExchanges(store, tenantId)
  })
}

/** Records that the end of the approved policy is reached. */
async function expirePolicies(store: Store, tenantId: string): Promise<void> {
  const approved = await findApproved(store.reader, tenantId, store.clock().toISOString())
  if (approved?.state !== 'expired') return
  const actor = systemActor('assist', tenantId)
  await change(store, actor, { permission: null, action: 'assist.policy_expire' }, async (tx) =>
    (await expirePolicy(tx)) ? undefined : unchanged(undefined),
  )
}

async function expireSuggestions(
  store: Store,
  adapters: LoadedAdapters,
  tenantId: string,
  isStopped: () => boolean,
): Promise<void> {
  const now = store.clock().toISOString()
  let after = ''
  while (!isStopped()) {
    const outlived = await selectOutlived(store.reader, tenantId, {
      proposedUntil: daysLater(now, -PROPOSAL_DAYS),
      approvedUntil: daysLater(now, -APPROVAL_DAYS),
      after,
      limit: AT_ONCE,
    })
    await endChanged({ store, adapters }, tenantId, outlived, isStopped)
    if (outlived.length < AT_ONCE) return
    after = outlived.at(-1)?.id ?? ''
  }
}

async function emptyExchanges(store: Store, tenantId: string): Promise<void> {
  const actor = systemActor('assist', tenantId)
  while (await hasDueExchanges(store.reader, tenantId, store.clock().toISOString()))
    await change(store, actor, { permission: null, action: 'assist.empty' }, async (tx) => {
      let count = 0
      await overwriteFreedPages(tx, async () => {
        count = await emptyDueExchanges(tx.db, tenantId, tx.at, AT_ONCE)
      })
      if (count === 0) return unchanged(undefined)
      await tx.record({ subject: { type: 'tenant', id: tenantId }, after: { exchanges: count } })
      return undefined
    })
}
