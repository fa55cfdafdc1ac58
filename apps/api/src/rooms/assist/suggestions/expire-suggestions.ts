import type { Upkeep } from '../../room.ts'
import { APPROVAL_DAYS, daysLater, PROPOSAL_DAYS } from '../bounds.ts'
import { type AssistContext, endChanged } from './end-changed.ts'
import { selectOutlived } from './suggestions.queries.ts'

const READ_AT_ONCE = 100

/** Stores the end of proposals and approvals that ended by time. `suggestionFollower` stores other ends. */
export const expireSuggestions: Upkeep<AssistContext> = {
  name: 'expire suggestions of assistance',
  everyMs: 5_000,
  limit: 1,
  forTenant: async ({ store, adapters, tenantId, isStopped }) => {
    const now = store.clock().toISOString()
    let after = ''
    while (!isStopped()) {
      const outlived = await selectOutlived(store.reader, tenantId, {
        proposedUntil: daysLater(now, -PROPOSAL_DAYS),
        approvedUntil: daysLater(now, -APPROVAL_DAYS),
        after,
        limit: READ_AT_ONCE,
      })
      await endChanged({ store, adapters }, tenantId, outlived, isStopped)
      if (outlived.length < READ_AT_ONCE) return
      after = outlived.at(-1)?.id ?? ''
    }
  },
}
