import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { type Head, signHead } from './head.ts'

/** Returns the signed head of the tenant's chain; undefined if the chain has no event. */
export async function newestHead({ reader, keys, clock }: Store, tenantId: string): Promise<Head | undefined> {
  const end = await reader
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence', 'desc')
    .executeTakeFirst()
  if (end === undefined) return undefined
  const store = await getStoreId(reader)
  return signHead(keys.auditSigning, { store, tenant: tenantId, ...end, at: clock().toISOString() })
}

/** Returns the random id of the store, which its copies share. */
export async function getStoreId(db: Db): Promise<string> {
  return (await db.selectFrom('store_identity').select('store_id').executeTakeFirstOrThrow()).store_id
}
