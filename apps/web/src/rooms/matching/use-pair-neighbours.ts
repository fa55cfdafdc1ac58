import type { MatchSuggestion } from '@prospect/api-client'
import { useEffect } from 'react'
import { useVisiblePages } from '../../ui/lists/use-visible-pages.ts'
import { formatNumber } from '../../ui/text/format.ts'
import type { DuplicatesSearch } from './duplicates-search.ts'
import { suggestionPages } from './matching.queries.ts'

export type PairNeighbours = { previous: string | null; next: string | null; place: string | null }

/** Maximum number of list rows that are loaded to find a pair, for example after a reload. */
const MOST_LOOKED_THROUGH = 1_000

/**
 * The pairs before and after this one in the list from which it was opened. Loads pages until both are known. A refresh reads the pages of the three
 * pairs, so that a pair decided meanwhile is no neighbour.
 */
export function usePairNeighbours({ id, status }: MatchSuggestion, search: DuplicatesSearch): PairNeighbours {
  const { list, rows: items, total, see, loadMore } = useVisiblePages(suggestionPages(search))
  const at = items.findIndex((item) => item.id === id)
  const isWanted =
    at === -1 ? status === (search.status ?? 'open') && items.length < MOST_LOOKED_THROUGH : at >= items.length - 2
  useEffect(() => {
    if (isWanted) loadMore()
  }, [isWanted, loadMore])
  useEffect(() => {
    if (at !== -1) see(Math.max(0, at - 1), at + 1)
  }, [at, see])
  if (at === -1) return { previous: null, next: items[0]?.id ?? null, place: null }
  return {
    previous: items[at - 1]?.id ?? null,
    next: items[at + 1]?.id ?? null,
    place: `${formatNumber(at + 1)} of ${formatNumber(total?.value ?? items.length)}${total === null && list.hasNextPage ? ' loaded' : ''}`,
  }
}
