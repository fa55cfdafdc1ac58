import type { Store } from '../../../store/store.ts'
import type { SuggestionCounts } from '../matching.schema.ts'

/**
 * Returns the number of the tenant's suggestions by status and band, from eight rows that triggers maintain
 * (docs/decisions/counts-are-kept-by-triggers.md). Pairs with a business that just became inactive are included for about a second, until the check
 * of that change ends them.
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
