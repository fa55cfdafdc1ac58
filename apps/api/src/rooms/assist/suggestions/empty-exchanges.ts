import { changeTime, type EmptiedTables, emptyRows } from '../../../store/change/empty-rows.ts'
import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { selectDueExchanges } from './suggestions.queries.ts'

const emptied: EmptiedTables = { assist_exchanges: { set: { body: null, emptied_at: changeTime } } }

/** Empties the bodies of exchanges whose retention period has ended. */
export const emptyDueExchanges: Upkeep<{ store: Store }> = {
  name: 'empty exchanges of assistance',
  everyMs: 5_000,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('assist', context.tenantId),
      action: 'assist.empty',
      due: selectDueExchanges,
      apply: async (tx, ids) => {
        const { tenantId } = tx.actor
        await overwriteFreedPages(tx, () => emptyRows(tx, emptied, { of: 'assist_exchanges', ids }))
        await tx.record({ subject: { type: 'tenant', id: tenantId }, after: { exchanges: ids.length } })
      },
    }),
}
