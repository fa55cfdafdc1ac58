import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { nameOfPolicy, selectExpiredPolicies, updatePolicy } from './policies.queries.ts'

/** Policies of one change. */
const AT_ONCE = 100

/**
 * Records that the end of approved policies is reached. Call it after drafts were ended by time, because the cause of their end is the end of the
 * policy and not what the checks lack without it.
 */
export function expirePolicies(store: Store, tenantId: string, isStopped: () => boolean): Promise<number> {
  return sweep(
    { store, tenantId, limit: AT_ONCE, isStopped },
    {
      actor: systemActor('drafts', tenantId),
      action: 'draft_policy.expire',
      due: selectExpiredPolicies,
      apply: async (tx, expired) => {
        for (const row of expired) {
          await updatePolicy(tx.db, row, { state: 'expired' })
          const after = { policy: nameOfPolicy(row), endsAt: row.ends_at }
          await tx.record({ subject: { type: 'draft_policy', id: row.id }, after })
        }
      },
    },
  )
}
