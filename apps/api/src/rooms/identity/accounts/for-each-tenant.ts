import type { Store } from '../../../store/store.ts'
import { listTenants } from '../identity.queries.ts'

/**
 * Runs `work` for one tenant after the other. If it fails for a tenant, it continues with the next one and throws an `AggregateError` of all failures
 * at the end.
 */
export async function forEachTenant(store: Store, work: (tenantId: string) => Promise<void>): Promise<void> {
  const failures: Error[] = []
  for (const { id } of await listTenants(store.reader)) {
    try {
      await work(id)
    } catch (cause) {
      failures.push(new Error(`It failed for the tenant ${id}.`, { cause }))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'It failed for some of the tenants.')
}
