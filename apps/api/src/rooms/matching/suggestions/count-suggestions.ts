import type { Store } from '../../../store/store.ts'
import type { SuggestionCounts } from '../matching.schema.ts'

/**
 * Counts the tenant's suggestions by status and band, from eight rows of counts that triggers maintain
 * (docs/decisions/counts-are-kept-by-triggers.md). Pairs of a business that just became inactive are counted until the check of its change ends them,
 * within about a second.
 */
export async function countSuggestions(store: Store, tenantId: string): Promise<SuggestionCounts> {
  const rows = await store.reader
    .selectFrom('match_suggestion_counts')
    .select(['status', 'band', 'count'])
    .where('tenant_id', '=', tenantId)
    .execute()
  const none = () => ({ strong: 0, review: 0 })
  const counts: SuggestionCounts['counts'] = { open: none(), rejected: none(), merged: none(), superseded: none() }
  for (const { status, band, count } of rows) counts[status][band] = count
  return { counts, asOf: store.clock().toISOString() }
}
