import { z } from 'zod'
import type { Db } from '../../store/database.ts'
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

/** Returns the number of review decisions per day since the given day, from counts that a trigger maintains. */
export async function countReviewsByDay(db: Db, tenantId: string, from: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('review_days')
    .select((eb) => ['day', eb.fn.sum<number>('count').as('count')])
    .where('tenant_id', '=', tenantId)
    .where('day', '>=', from)
    .groupBy('day')
    .orderBy('day')
    .execute()
  return new Map(rows.map(({ day, count }) => [day, count]))
}
