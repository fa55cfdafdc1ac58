import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { nameOfPolicy, selectExpiredPolicies, updatePolicy } from './policies.queries.ts'

/** Records that the end of approved policies is reached. A policy counts as expired from that time on, recorded or not. */
export const expireDraftPolicies: Upkeep<{ store: Store }> = {
  name: 'expire draft policies',
  everyMs: 5_000,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('drafts', context.tenantId),
      action: 'draft_policy.expire',
      due: selectExpiredPolicies,
      apply: async (tx, expired) => {
        for (const row of expired) {
          await updatePolicy(tx.db, row, { state: 'expired' })
          const after = { policy: nameOfPolicy(row), endsAt: row.ends_at }
          await tx.record({ subject: { type: 'draft_policy', id: row.id }, after })
        }
      },
    }),
}
