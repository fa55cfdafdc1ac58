import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'

/** Whether one of these was done in the tenant behind an event. Reads what came since: for what is but a moment ago. */
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
