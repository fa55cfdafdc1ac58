import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { selectDueTexts, updateObservation } from './observations.queries.ts'

/** Deletes pasted texts when the retention period of manual references ends. The observation and the hash of the text are kept. */
export const deleteTexts: Upkeep<{ store: Store }> = {
  name: 'delete pasted DNS texts',
  everyMs: 600_000,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('domains', context.tenantId),
      action: 'dns_observation.delete_text',
      due: selectDueTexts,
      apply: async (tx, ids) => {
        const { tenantId } = tx.actor
        await overwriteFreedPages(tx, async () => {
          for (const id of ids) await updateObservation(tx.db, tenantId, id, { raw: null, raw_deleted_at: tx.at })
        })
        await tx.record({ subject: { type: 'tenant', id: tenantId }, after: { texts: ids.length } })
      },
    }),
}
