import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { findEnablement, lapseOf, lapseWhereDue } from '../enablement/enablement.ts'
import { expireCandidates } from './empty-candidates.ts'

const EVERY_MS = 5_000

type Upkeep = { store: Store; log: Pick<Logger, 'error'> }

/** Records lapses, and empties candidates that expired. `suppressionFollower` empties those that a suppression matches. */
export function startUpkeep({ store, log }: Upkeep): Loop {
  return everyInOneProcess(store, {
    name: 'contacts',
    ms: EVERY_MS,
    work: (isStopped) => keepUp(store, isStopped),
    log,
    failed: 'the upkeep of contact candidates failed',
  })
}

/** Runs one round over all tenants. */
export async function keepUp(store: Store, isStopped: () => boolean = () => false): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    if (isStopped()) return
    await recordLapse(store, tenantId)
    await expireCandidates(store, tenantId, isStopped)
  })
}

async function recordLapse(store: Store, tenantId: string): Promise<void> {
  const now = store.clock().toISOString()
  const asker = { db: store.reader, keys: store.keys }
  const enablement = await findEnablement(store.reader, tenantId)
  if ((await lapseOf(asker, tenantId, enablement, now)) === null) return
  const actor = systemActor('contacts', tenantId)
  await change(store, actor, { permission: null, action: 'extraction.lapse' }, async (tx) => {
    const before = await findEnablement(tx.db, tenantId)
    const { state } = await lapseWhereDue(tx)
    return before.state === state ? unchanged(null) : null
  })
}
