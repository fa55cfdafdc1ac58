import { requireVersion } from '../../http/conditional.ts'
import { change, unchanged } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import type { Caller } from './accounts.ts'
import { findTenant, updateTenant } from './identity.queries.ts'
import type { Tenant } from './identity.schema.ts'

/** Name and time zone of the tenant one works in. Errors: `version_conflict`. */
export async function editTenant(
  store: Store,
  { actor, client }: Caller,
  { version, edit }: { version: number; edit: { name?: string | undefined; timeZone?: string | undefined } },
): Promise<Tenant> {
  const options = { permission: 'tenant.configure', action: 'tenant.configure' }
  const { value } = await change(store, actor, options, async (tx) => {
    const tenant = await findTenant(tx.db, actor.tenantId)
    requireVersion(version, tenant.version)
    const { name = tenant.name, timeZone = tenant.timeZone } = edit
    if (name === tenant.name && timeZone === tenant.timeZone) return unchanged(tenant)
    await updateTenant(tx.db, { id: tenant.id, name, timeZone, at: tx.at })
    await tx.record({
      subject: { type: 'tenant', id: tenant.id },
      before: { name: tenant.name, timeZone: tenant.timeZone },
      after: { ...client, name, timeZone },
    })
    return findTenant(tx.db, actor.tenantId)
  })
  return value
}
