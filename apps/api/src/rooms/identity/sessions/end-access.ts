import type { Tx } from '../../../store/change/change.ts'

/**
 * Ends every session and one-time link of the tenant as part of a change, because after a restore ended cookies and used links would otherwise be
 * valid again. Returns the number of sessions.
 */
export async function endAccessToTenant({ db, actor }: Tx): Promise<number> {
  await db.deleteFrom('one_time_links').where('tenant_id', '=', actor.tenantId).execute()
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('tenant_id', '=', actor.tenantId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
