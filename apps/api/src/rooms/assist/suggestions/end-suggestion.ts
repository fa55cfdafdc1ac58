import { fingerprint } from '../../../lib/hashing.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { EndOfJob } from '../../jobs/jobs.ts'
import { endQueriesOf } from '../../sources/sources.ts'
import { settle } from '../budgets/budgets.ts'
import { nonResultOf } from './non-results.data.ts'
import { findStored, updateResult } from './suggestions.queries.ts'

/**
 * Ends a suggestion that its job left open because it was cancelled, failed or lost its process. A call that may have been made counts whole and is
 * not repeated.
 */
export async function endSuggestion(tx: Tx, suggestionId: string, end: EndOfJob): Promise<void> {
  await endQueriesOf(tx, end)
  const key = { tenantId: tx.actor.tenantId, id: suggestionId }
  const stored = await findStored(tx.db, key)
  if (stored?.state !== 'queued' && stored?.state !== 'running') return
  const { businessId, state } = stored
  const result = nonResultOf(state === 'queued' ? 'cancelled' : 'outcome_unknown')
  const { tokens, cost } = await settle(tx, suggestionId, [])
  await updateResult(tx.db, key, {
    state: 'no_result',
    result: JSON.stringify(result),
    fingerprint: fingerprint({ id: suggestionId, result }),
    usage: JSON.stringify({ tokens, cost, reported: false }),
    state_code: result.reason,
    state_since: tx.at,
  })
  await tx.record({
    action: 'assist.no_result',
    subject: { type: 'suggestion', id: suggestionId },
    businessId,
    after: { kind: result.kind, reason: result.reason, tokens, cost },
  })
}
