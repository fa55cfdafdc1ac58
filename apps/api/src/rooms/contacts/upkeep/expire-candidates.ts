import { type SweepContext, sweep } from '../../../store/change/sweep.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { Upkeep } from '../../room.ts'
import { selectDue, selectWithoutSite } from '../candidates/candidates.queries.ts'
import { emptyAll } from './empty-candidates.ts'

/** Empties candidates whose retention period has ended. */
export const expireCandidates: Upkeep<{ store: Store }> = {
  name: 'expire contact candidates',
  everyMs: 5_000,
  limit: 100,
  forTenant: (context) => expire(context, selectDue, 'The retention period ended.'),
}

/** Empties undecided candidates of sites whose approval has ended. */
export const expireCandidatesOfSites: Upkeep<{ store: Store }> = {
  name: 'expire contact candidates without an approved site',
  everyMs: 5_000,
  limit: 100,
  forTenant: (context) => expire(context, selectWithoutSite, 'The approval of the official site ended.'),
}

function expire(context: SweepContext, due: typeof selectDue, reason: string): Promise<number> {
  const action = 'contact_candidate.expire'
  return sweep(context, {
    actor: systemActor('contacts', context.tenantId),
    action,
    isSlow: true,
    due,
    apply: (tx, ended) => emptyAll(tx, ended, { action, state: 'expired', reason }),
  })
}
