import { sweepDerived } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { deleteChanges, selectProcessedChanges } from './changed-records.queries.ts'

/** Deletes score changes that every generation has processed. */
export const deleteProcessedChanges: Upkeep<{ store: Store }> = {
  name: 'delete processed score changes',
  everyMs: 60_000,
  limit: 200,
  forTenant: (context) =>
    sweepDerived(context, {
      due: selectProcessedChanges,
      apply: (db, numbers) => deleteChanges(db, context.tenantId, numbers),
    }),
}
