import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'

type Db = Kysely<Database>

/** Begins to follow the audit of a tenant; keeps an earlier position. */
export async function insertPosition(db: Db, tenantId: string, sequence: number): Promise<void> {
  await db
    .insertInto('draft_positions')
    .values({ tenant_id: tenantId, sequence })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute()
}

export async function savePosition(db: Db, tenantId: string, sequence: number): Promise<void> {
  await db.updateTable('draft_positions').set({ sequence }).where('tenant_id', '=', tenantId).execute()
}

export function selectPositions(db: Db): Promise<{ tenant_id: string; sequence: number }[]> {
  return db.selectFrom('draft_positions').selectAll().execute()
}

export type FollowedEvent = { sequence: number; action: string; business_id: string | null; actor: string; at: string }

/** Events after a place in the tenant's chain, in order. */
export function selectEventsAfter(
  db: Db,
  { tenantId, after, limit }: { tenantId: string; after: number; limit: number },
): Promise<FollowedEvent[]> {
  return db
    .selectFrom('audit_events')
    .select(['sequence', 'action', 'business_id', 'actor', 'at'])
    .where('tenant_id', '=', tenantId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}
