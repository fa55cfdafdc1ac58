import { useInfiniteQuery } from '@tanstack/react-query'
import { formatNumber } from '../../ui/format.ts'
import type { DuplicatesSearch } from './duplicates-search.ts'
import { suggestionsQuery } from './matching.queries.ts'

export type PairNeighbours = { previous: string | null; next: string | null; place: string | null }

/** The pairs before and after this one in the list it was opened from, as far as that is loaded. */
export function usePairNeighbours(suggestionId: string, search: DuplicatesSearch): PairNeighbours {
  const { data, hasNextPage } = useInfiniteQuery(suggestionsQuery(search))
  const items = data?.items ?? []
  const at = items.findIndex(({ id }) => id === suggestionId)
  if (at === -1) return { previous: null, next: items[0]?.id ?? null, place: null }
  return {
    previous: items[at - 1]?.id ?? null,
    next: items[at + 1]?.id ?? null,
    place: `${formatNumber(at + 1)} of ${formatNumber(items.length)}${hasNextPage ? ' loaded' : ''}`,
  }
}
