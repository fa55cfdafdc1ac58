import { setTimeout as delay } from 'node:timers/promises'
import type { AuditFollower } from '../../../store/change/audit-follower.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import type { Store } from '../../../store/store.ts'
import { checkBusiness } from './check-business.ts'
import { followerName } from './save-derived.ts'

/**
 * Pause after a check, as a multiple of its duration. With 3, a backlog after an upgrade or a flood of changes uses a quarter of an idle event loop.
 */
const REST = 3
/**
 * Maximum number of consecutive pauses while the event loop is busy. It guarantees checks at least a sixteenth of the time, so that they are not
 * postponed without end.
 */
const MOST_RESTS = 5
const BUSY_UTILIZATION = 0.5

/**
 * Checks every business that was created, edited, merged or made inactive, within a second of its event. `onChecked` is called after each check that
 * changed something.
 */
export function matchingFollower(store: Store, onChecked: () => void = () => {}): AuditFollower {
  return {
    name: followerName,
    wants: ({ business_id: id }) => id !== null,
    on: async (tenantId, events, isStopped) => {
      const businesses = new Set(events.flatMap(({ business_id: id }) => id ?? []))
      for (const id of businesses) {
        if (isStopped()) return
        const began = performance.now()
        if (await checkBusiness(store, tenantId, id)) onChecked()
        await rest(performance.now() - began)
      }
    },
  }
}

/** Follows the audit of every tenant to its end. Returns the number of changed businesses. Errors: those of `followToEnd`. */
export async function followChanges(store: Store): Promise<number> {
  let checked = 0
  const follower = matchingFollower(store, () => {
    checked += 1
  })
  await followToEnd(store, [follower])
  return checked
}

async function rest(workedMs: number): Promise<void> {
  for (let rests = 0; rests < MOST_RESTS; rests++) {
    const before = performance.eventLoopUtilization()
    await delay(REST * workedMs)
    if (performance.eventLoopUtilization(before).utilization < BUSY_UTILIZATION) return
  }
}
