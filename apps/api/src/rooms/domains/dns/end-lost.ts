import type { Logger } from 'pino'
import { change, unchanged } from '../../../store/change/change.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { completeObservation } from './checks.ts'
import { selectLost } from './observations.queries.ts'

const LOOK_EVERY_MS = 60_000
const AT_ONCE = 100
const interrupted = { outcome: 'unavailable', reason: 'interrupted', answers: [], traces: [] } as const

/** Starts the loop that completes pending observations whose job was cancelled, failed or lost. */
export function startEndingLost(store: Store, log: Pick<Logger, 'error'>) {
  return everyInOneProcess(store, {
    name: 'lost DNS checks',
    ms: LOOK_EVERY_MS,
    work: () => endLostChecks(store),
    log,
    failed: 'failed to end lost DNS checks',
  })
}

export async function endLostChecks(store: Store): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    for (;;) {
      const ids = await selectLost(store.reader, tenantId, AT_ONCE)
      if (ids.length === 0) return
      const options = { permission: null, action: 'dns_observation.complete' } as const
      const { value } = await change(store, systemActor('domains', tenantId), options, async (tx) => {
        const lost = await selectLost(tx.db, tenantId, AT_ONCE)
        for (const id of lost) await completeObservation(tx, id, interrupted)
        return lost.length === 0 ? unchanged(0) : lost.length
      })
      if (value < AT_ONCE) return
    }
  })
}
