import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'

/**
 * True if an event with one of these actions follows the event `after` in the tenant's chain. Reads all later events, so use it for recent events
 * only.
 */
export async function hasHappenedSince(
  db: Kysely<Database>,
  tenantId: string,
  { after, actions }: { after: number; actions: readonly string[] },
): Promise<boolean> {
  const found = await db
    .selectFrom('audit_events')
    .select('sequence')
    .where('tenant_id', '=', tenantId)
    .where('sequence', '>', after)
    .where('action', 'in', actions)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
