import type { AuditFollower } from '../../../store/change/audit-follower.ts'
import { type Registry, recordAllLapses } from './record-lapses.ts'

/** Audit actions of other rooms that can end the enablement of a source: its terms owner leaves, or the store is restored. */
const causes: ReadonlySet<string> = new Set(['user.remove', 'user.disable', 'store.restore'])

/** Records at once what such an action ended. Earlier causes are recorded before the first request, and others by `recordSourceLapses`. */
export function lapseFollower(registry: Registry): AuditFollower {
  return {
    name: 'sources',
    wants: ({ action }) => causes.has(action),
    // A person may be the terms owner of sources in several tenants.
    on: async () => (await recordAllLapses(registry)) > 0,
    begin: async (_tenantId, { newest }) => ({ sequence: newest, version: '' }),
  }
}
