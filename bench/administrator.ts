import { newId } from '../apps/api/src/lib/ids.ts'
import { allPermissions } from '../apps/api/src/rooms/identity/identity.ts'
import type { Store } from '../apps/api/src/store/store.ts'

/** Returns an administrator of the first workspace as the actor of changes, with all permissions. */
export async function administratorOf(store: Store) {
  const { id: tenantId, user_id: userId } = await store.reader
    .selectFrom('tenants')
    .innerJoin('memberships', 'memberships.tenant_id', 'tenants.id')
    .select(['tenants.id', 'memberships.user_id'])
    .where('memberships.role', '=', 'administrator')
    .orderBy('tenants.number')
    .executeTakeFirstOrThrow()
  return { kind: 'user' as const, userId, tenantId, correlationId: newId(), permissions: allPermissions }
}
