import { overwriteFreedPages } from '../../../store/change/overwrite-freed.ts'
import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { emptyExchanges, selectDueExchanges } from './suggestions.queries.ts'

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
        await overwriteFreedPages(tx, () => emptyExchanges(tx.db, { tenantId, ids, at: tx.at }))
        await tx.record({ subject: { type: 'tenant', id: tenantId }, after: { exchanges: ids.length } })
      },
    }),
}
