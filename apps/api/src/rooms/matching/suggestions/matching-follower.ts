import type { AuditFollower } from '../../../store/change/audit-follower.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import type { Store } from '../../../store/store.ts'
import { checkBusiness } from './check-business.ts'
import { followerName } from './save-derived.ts'

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
        if (await checkBusiness(store, tenantId, id)) onChecked()
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
