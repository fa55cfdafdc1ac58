import { eachIsolated } from '../../../lib/each-isolated.ts'
import type { Store } from '../../../store/store.ts'
import { listTenants } from '../identity.queries.ts'

/**
 * Runs `work` for one tenant after the other. If it fails for a tenant, it continues with the next one and throws an `AggregateError` of all failures
 * at the end.
 */
export async function forEachTenant(store: Store, work: (tenantId: string) => Promise<void>): Promise<void> {
  const tenants = await listTenants(store.reader)
  const ids = tenants.map(({ id }) => id)
  await eachIsolated('tenant', ids, work)
}
