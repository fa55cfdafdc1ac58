import { fingerprint } from '../../../lib/hashing.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { settle } from '../budgets/budgets.ts'
import { insertEvent } from '../events.ts'
import { nonResultOf } from '../suggestions/non-results.data.ts'
import { selectAbandoned, updateResult } from '../suggestions/suggestions.queries.ts'

const AT_ONCE = 100

/**
 * Ends suggestions whose job has ended without them: it was cancelled, or its process was lost. A call that may have been made counts
 * whole and is not repeated.
 */
export async function endAbandoned(store: Store, tenantId: string): Promise<number> {
  if ((await selectAbandoned(store.reader, tenantId, 1)).length === 0) return 0
  const actor = systemActor('assist', tenantId)
  const { value } = await change(store, actor, { permission: null, action: 'assist.no_result' }, async (tx) => {
    const abandoned = await selectAbandoned(tx.db, tenantId, AT_ONCE)
    if (abandoned.length === 0) return unchanged(0)
    for (const { id, businessId, state } of abandoned) {
      const result = nonResultOf(state === 'queued' ? 'cancelled' : 'outcome_unknown')
      const { tokens, cost } = await settle(tx, id, [])
      await updateResult(
        tx.db,
        { tenantId, id },
        {
          state: 'no_result',
          result: JSON.stringify(result),
          fingerprint: fingerprint({ id, result }),
          usage: JSON.stringify({ tokens, cost, reported: false }),
          state_code: result.reason,
          state_since: tx.at,
        },
      )
      await insertEvent(tx, { subject: 'suggestion', subjectId: id, kind: 'no_result', code: result.reason })
      await tx.record({
        subject: { type: 'suggestion', id },
        businessId,
        after: { kind: result.kind, reason: result.reason, tokens, cost },
      })
    }
    return abandoned.length
  })
  return value
}
