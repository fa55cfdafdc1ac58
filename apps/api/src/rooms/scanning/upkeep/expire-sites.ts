import { newId } from '../../../lib/ids.ts'
import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { insertDecision, selectExpired } from '../sites/sites.queries.ts'

/** Records expired approvals. An approval ends at its time, even before the expiry is recorded. */
export const expireSites: Upkeep<{ store: Store }> = {
  name: 'expire official sites',
  everyMs: 30_000,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('scanning', context.tenantId),
      action: 'official_site.expire',
      due: selectExpired,
      apply: async (tx, expired) => {
        for (const { siteId, businessId, validUntil } of expired) {
          await insertDecision(tx.db, {
            tenant_id: tx.actor.tenantId,
            id: newId(),
            site_id: siteId,
            decision: 'expire',
            reason: 'The approval ended.',
            fingerprint: '',
            valid_until: null,
            at: tx.at,
            actor: 'scanning',
          })
          await tx.record({ subject: { type: 'official_site', id: siteId }, businessId, after: { validUntil } })
        }
      },
    }),
}
