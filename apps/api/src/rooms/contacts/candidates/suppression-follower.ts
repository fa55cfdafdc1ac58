import type { AuditFollower } from '../../../store/change/audit-follower.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import type { Store } from '../../../store/store.ts'
import { RULES_VERSION } from '../../contact-gate/contact-gate.ts'
import { emptySuppressed } from '../upkeep/empty-candidates.ts'

/** Actions that can add keys to entries. A re-evaluation adds keys to existing entries. */
const adding = /^suppression\.(?!remove)/

/**
 * Empties candidates that a suppression entry matches since they were stored. Reads hide them at once. All candidates of a tenant are compared again
 * when the rules of the gate have another version.
 */
export function suppressionFollower(store: Store): AuditFollower {
  return {
    name: 'contacts',
    version: RULES_VERSION,
    wants: ({ action }) => adding.test(action),
    on: (tenantId, _events, isStopped) => emptySuppressed(store, tenantId, isStopped),
    begin: async (tenantId, { newest, isStopped }) => {
      await emptySuppressed(store, tenantId, isStopped)
      return { sequence: newest, version: RULES_VERSION }
    },
  }
}

/** Follows the audit of every tenant to its end. */
export function followSuppressions(store: Store): Promise<void> {
  return followToEnd(store, [suppressionFollower(store)])
}
