import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { findApproved } from './policies.queries.ts'
import { expirePolicy } from './policies.ts'

/** Records that the end of the approved policy is reached. It counts as expired from that time on, recorded or not. */
export const expireAssistPolicy: Upkeep<{ store: Store }> = {
  name: 'expire the assistance policy',
  everyMs: 5_000,
  limit: 1,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('assist', context.tenantId),
      action: 'assist.policy_expire',
      due: async (db, { tenantId, now }) => {
        const policy = await findApproved(db, tenantId, now)
        return policy?.state === 'expired' ? [policy] : []
      },
      apply: async (tx, ended) => {
        for (const policy of ended) await expirePolicy(tx, policy)
      },
    }),
}
