import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'

/**
 * Ends every session, access token and one-time link of the tenant as part of a change. Needed after a restore, which would make ended sessions,
 * revoked tokens and used links valid again. Returns the number of sessions.
 */
export async function endAccessToTenant({ db, actor }: Tx): Promise<number> {
  await db.deleteFrom('one_time_links').where('tenant_id', '=', actor.tenantId).execute()
  await db
    .updateTable('memberships')
    .set({ tokens_valid_from: newId() })
    .where('tenant_id', '=', actor.tenantId)
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('tenant_id', '=', actor.tenantId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
