import { daysAfter } from '../../../lib/clock.ts'
import { sweepDerived } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { healthIntervals } from '../sources.table.ts'
import { deleteHealth, selectHealthBefore } from './health.queries.ts'
import { keptDays, startOf } from './health.rules.ts'

/** Deletes old counts of requests. It records no event, because the audit already contains the queries and their outcomes. */
export const deleteOldHealth: Upkeep<{ store: Store }> = {
  name: 'delete old health of sources',
  everyMs: 600_000,
  limit: 100,
  forTenant: async (context) => {
    for (const interval of healthIntervals)
      await sweepDerived(context, {
        due: (db, { tenantId, now, limit }) => {
          const before = startOf(interval, daysAfter(now, -keptDays[interval]))
          return selectHealthBefore(db, { tenantId, interval, before, limit })
        },
        apply: (db, rows) => deleteHealth(db, context.tenantId, interval, rows),
      })
  },
}
