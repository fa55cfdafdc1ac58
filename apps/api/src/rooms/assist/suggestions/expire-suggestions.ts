import { daysAfter } from '../../../lib/clock.ts'
import type { Upkeep } from '../../room.ts'
import { APPROVAL_DAYS, PROPOSAL_DAYS } from '../bounds.ts'
import { type AssistContext, endAllChanged } from './end-changed.ts'
import { selectOutlived } from './suggestions.queries.ts'

/** Stores the end of proposals and approvals that ended by time. `suggestionFollower` stores other ends. */
export const expireSuggestions: Upkeep<AssistContext> = {
  name: 'expire suggestions of assistance',
  everyMs: 5_000,
  limit: 1,
  forTenant: ({ store, adapters, tenantId, isStopped }) => {
    const now = store.clock().toISOString()
    const proposedUntil = daysAfter(now, -PROPOSAL_DAYS)
    const approvedUntil = daysAfter(now, -APPROVAL_DAYS)
    return endAllChanged({ store, adapters }, tenantId, isStopped, (after, limit) =>
      selectOutlived(store.reader, tenantId, { proposedUntil, approvedUntil, after, limit }),
    )
  },
}
