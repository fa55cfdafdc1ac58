import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { clearDue, selectAged } from './candidates.queries.ts'
import { allCandidatesOf } from './derive.ts'
import { refreshCandidates } from './refresh-candidates.ts'

/** Evaluates open candidates again when their evidence has become too old to be fresh, so that lists do not show the confidence of an earlier day. */
export const ageCandidates: Upkeep<{ store: Store }> = {
  name: 'evaluate domain candidates by the age of their evidence',
  everyMs: 30_000,
  limit: 10,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('domains', context.tenantId),
      action: 'domain_candidate.derive',
      due: selectAged,
      apply: async (tx, aged) => {
        const { tenantId } = tx.actor
        const ids = [...new Set(aged.map(({ businessId }) => businessId))]
        const refreshed = await refreshCandidates(tx, ids, new Set())
        // A candidate that no record derives any more would otherwise be due forever.
        await clearDue(tx.db, { tenantId, ids: aged.map(({ id }) => id), now: tx.at })
        await tx.record({ subject: allCandidatesOf(tenantId), after: { ...refreshed } })
      },
    }),
}
