import { sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Db } from '../../../store/database.ts'

/** Records per batch. The event loop runs other work between batches. */
const AT_ONCE = 100

/**
 * Applies all changes since the snapshot to a generation that has just become ready. Deletes the score of a record that became do not contact, and
 * the row of a record that became inactive. Triggers maintain ready generations from then on.
 */
export async function settleChanges(
  db: Db,
  { tenantId, generation, after }: { tenantId: string; generation: number; after: number },
): Promise<void> {
  const breathe = createBreather()
  for (let position = after; ; ) {
    const changes = await db
      .selectFrom('score_changes')
      .select(['number', 'business_id'])
      .where('tenant_id', '=', tenantId)
      .where('number', '>', position)
      .orderBy('number')
      .limit(AT_ONCE)
      .execute()
    const last = changes.at(-1)
    if (last === undefined) return
    const records = await db
      .selectFrom('businesses')
      .innerJoin('tenants', 'tenants.id', 'businesses.tenant_id')
      .select(['businesses.id', 'businesses.status', 'businesses.do_not_contact', 'tenants.number as tenant'])
      .where('businesses.tenant_id', '=', tenantId)
      .where('businesses.id', 'in', [...new Set(changes.map(({ business_id }) => business_id))])
      .execute()
    for (const { id, status, do_not_contact, tenant } of records) {
      if (status !== 'active') await removeScore(db, { tenant, generation, businessId: id })
      else if (do_not_contact === 1) await blockScore(db, { tenant, generation, businessId: id })
    }
    position = last.number
    await breathe()
  }
}

type Key = { tenant: number; generation: number; businessId: string }

async function removeScore(db: Db, { tenant, generation, businessId }: Key): Promise<void> {
  await sql`DELETE FROM scores WHERE tenant = ${tenant} AND generation = ${generation} AND business_id = ${businessId}`.execute(
    db,
  )
}

async function blockScore(db: Db, { tenant, generation, businessId }: Key): Promise<void> {
  await sql`
    UPDATE scores SET eligibility = 3, low = -1, high = -1, priority = -2, reachable = -2, completeness = 0, tie = 0, holds_until = NULL
    WHERE tenant = ${tenant} AND generation = ${generation} AND business_id = ${businessId}`.execute(db)
}
