import { newId } from '../../../lib/ids.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { insertDecision, selectExpired } from '../sites/sites.queries.ts'

const AT_ONCE = 100

/** Records expired approvals. An approval ends at its time, even before the expiry is recorded. */
export async function expireSites(store: Store, tenantId: string): Promise<number> {
  const now = store.clock().toISOString()
  if ((await selectExpired(store.reader, { tenantId, now, limit: 1 })).length === 0) return 0
  const actor = systemActor('scanning', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'official_site.expire' }, async (tx) => {
    const expired = await selectExpired(tx.db, { tenantId, now, limit: AT_ONCE })
    if (expired.length === 0) return unchanged(0)
    for (const { siteId, businessId, validUntil } of expired) {
      await insertDecision(tx.db, {
        tenant_id: tenantId,
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
    return expired.length
  })
  return value
}
