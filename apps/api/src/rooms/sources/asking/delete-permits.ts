import { daysAfter } from '../../../lib/clock.ts'
import { sweepDerived } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { deletePermits, selectPermitsBefore } from './permits.queries.ts'

/** Days for which permits are stored for the history. Their counts by time are stored separately and for longer. */
export const PERMITS_KEPT_DAYS = 30

/** Deletes old permits. It records no event, because the audit already contains the queries and their outcomes. */
export const deleteOldPermits: Upkeep<{ store: Store }> = {
  name: 'delete old permits of sources',
  everyMs: 600_000,
  limit: 500,
  forTenant: (context) =>
    sweepDerived(context, {
      due: (db, { tenantId, now, limit }) => {
        const before = daysAfter(now, -PERMITS_KEPT_DAYS)
        return selectPermitsBefore(db, tenantId, before, limit)
      },
      apply: (db, ids) => deletePermits(db, context.tenantId, ids),
    }),
}
