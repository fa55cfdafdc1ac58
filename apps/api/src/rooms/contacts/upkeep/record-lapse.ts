import { sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { findEnablement, lapseOf, lapseWhereDue } from '../enablement/enablement.ts'

/** Records that the enablement of extraction has lapsed, because its end or one of its conditions was reached. */
export const recordLapse: Upkeep<{ store: Store }> = {
  name: 'record the lapse of contact extraction',
  everyMs: 5_000,
  limit: 1,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('contacts', context.tenantId),
      action: 'extraction.lapse',
      due: async (db, { tenantId, now }) => {
        const enablement = await findEnablement(db, tenantId)
        const reason = await lapseOf({ db, keys: context.store.keys }, tenantId, enablement, now)
        return reason === null ? [] : [enablement]
      },
      apply: (tx) => lapseWhereDue(tx),
    }),
}
