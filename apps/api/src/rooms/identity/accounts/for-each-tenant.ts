import type { Store } from '../../../store/store.ts'
import { listTenants } from '../identity.queries.ts'

/** Runs the work for one tenant after the other; a failure does not stop the others. Errors: an `AggregateError` at the end with the failures. */
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
