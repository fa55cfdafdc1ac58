import { sweepDerived } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { deletePreview, selectExpiredPreviews } from './previews.queries.ts'

/** Deletes expired previews, each with its last moves. */
export const deleteOldPreviews: Upkeep<{ store: Store }> = {
  name: 'delete expired score previews',
  everyMs: 60_000,
  limit: 200,
  forTenant: (context) =>
    sweepDerived(
      { ...context, limit: 1 },
      {
        due: selectExpiredPreviews,
        apply: async (db, previews) => {
          for (const { id } of previews) await deletePreview(db, { tenantId: context.tenantId, id }, context.limit)
        },
      },
    ),
}
