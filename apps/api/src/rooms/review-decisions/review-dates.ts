import { sql } from 'kysely'
import { type SweepContext, sweepDerived } from '../../store/change/sweep.ts'
import { writeDerived } from '../../store/change/write-derived.ts'
import { inList } from '../../store/engine/dialect.ts'
import type { Store } from '../../store/store.ts'
import type { Upkeep } from '../room.ts'
import { endOfTerm } from './review-state.rules.ts'

/** Records per commit. 25 records occupy the event loop for some milliseconds. */
const RECORDS_AT_ONCE = 25

/** Ends deferrals and review terms when their date is reached, and applies a changed review term to earlier decisions. */
export const applyReviewDates: Upkeep<{ store: Store }> = {
  name: 'apply dates and terms of reviews',
  everyMs: 5_000,
  limit: RECORDS_AT_ONCE,
  forTenant: async (context) => {
    await applyTerm(context)
    await makeDue(context)
  },
}

/** Ends deferrals and review terms whose date was reached. A verified or rejected record becomes outdated; a deferred record becomes due. */
function makeDue(context: SweepContext): Promise<number> {
  const { tenantId } = context
  return sweepDerived(context, {
    due: (db, { now, limit }) =>
      db
        .selectFrom('review_states')
        .select('business_id as businessId')
        .where('tenant_id', '=', tenantId)
        .where('is_due', '=', sql.lit(0))
        .where('due_from', 'is not', null)
        .where('due_from', '<=', now)
        .orderBy('due_from')
        .limit(limit)
        .execute(),
    apply: (db, rows) =>
      db
        .updateTable('review_states')
        .set({
          is_due: 1,
          due_from: null,
          state: sql`CASE state WHEN 'deferred' THEN 'deferred' ELSE 'outdated' END`,
        })
        .where('tenant_id', '=', tenantId)
        .where('business_id', 'in', inList(rows.map(({ businessId }) => businessId)))
        .execute(),
  })
}

/** Applies a changed review term to earlier decisions. */
async function applyTerm({ store, tenantId, limit, isStopped }: SweepContext): Promise<void> {
  const changed = await store.reader
    .selectFrom('review_settings')
    .select(['term_days', 'version'])
    .where('tenant_id', '=', tenantId)
    .where('is_applied', '=', 0)
    .executeTakeFirst()
  if (changed === undefined) return
  const { term_days: termDays, version } = changed
  let after = ''
  while (!isStopped()) {
    const rows = await store.reader
      .selectFrom('review_states')
      .select(['business_id', 'decided_at'])
      .where('tenant_id', '=', tenantId)
      .where('business_id', '>', after)
      .where('state', 'in', ['verified', 'rejected'])
      .orderBy('business_id')
      .limit(limit)
      .execute()
    const last = rows.at(-1)?.business_id
    const isEnd = rows.length < limit
    await writeDerived(store, tenantId, async (db) => {
      for (const { business_id: id, decided_at: at } of rows)
        await db
          .updateTable('review_states')
          .set({ due_from: endOfTerm(at, termDays) })
          .where('tenant_id', '=', tenantId)
          .where('business_id', '=', id)
          .where('decided_at', '=', at)
          .where('state', 'in', ['verified', 'rejected'])
          .execute()
      if (isEnd)
        await db
          .updateTable('review_settings')
          .set({ is_applied: 1 })
          .where('tenant_id', '=', tenantId)
          .where('version', '=', version)
          .execute()
    })
    if (isEnd || last === undefined) return
    after = last
  }
}
