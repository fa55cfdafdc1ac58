import type { Store } from '../../../store/store.ts'
import type { SuggestionCounts } from '../matching.schema.ts'

/**
 * Suggestions of the tenant by status and band, from counts that are kept as they are written (docs/decisions/counts-are-kept-by-triggers.md): eight rows at any size. Pairs of a
 * business that has just become inactive are counted until the check that follows its change ends them, a second later at most.
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
