import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Database, Db } from '../../store/database.ts'
import { countUpTo } from '../../store/engine/count-up-to.ts'
import { inList } from '../../store/engine/dialect.ts'
import { jsonColumn } from '../../store/json-column.ts'
import type { ArrangementTable } from './dashboard.table.ts'

export const readTiles = jsonColumn(z.array(z.object({ key: z.string(), isHidden: z.boolean() })))

export function findArrangement(
  db: Db,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<ArrangementTable | undefined> {
  return db
    .selectFrom('dashboard_arrangements')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function saveArrangement(db: Db, row: ArrangementTable): Promise<void> {
  const { tenant_id: _tenant, user_id: _user, ...columns } = row
  await db
    .insertInto('dashboard_arrangements')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(columns))
    .execute()
}

/** Counts failed jobs of the given kinds. Stops counting at one more than the limit. */
export async function countFailedJobs(
  db: Db,
  { tenantId, kinds, bound }: { tenantId: string; kinds: readonly string[]; bound: number },
): Promise<number> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'failed')
    .where('kind', 'in', inList(kinds))
    .limit(bound + 1)
    .execute()
  return rows.length
}

/** Counts review decisions from one instant until before another, by their audit events. Stops counting at one more than the limit. */
export function countReviews(
  db: Kysely<Database>,
  { tenantId, from, until, bound }: { tenantId: string; from: string; until: string; bound: number },
): Promise<number> {
  const events = db
    .selectFrom('audit_events')
    .select('sequence')
    .where('tenant_id', '=', tenantId)
    .where('action', '=', 'review.decide')
    .where('at', '>=', from)
    .where('at', '<', until)
  return countUpTo(db, events, bound)
}
