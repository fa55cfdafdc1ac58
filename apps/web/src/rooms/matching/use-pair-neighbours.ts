import type { MatchSuggestion } from '@prospect/api-client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatNumber } from '../../ui/text/format.ts'
import type { DuplicatesSearch } from './duplicates-search.ts'
import { suggestionsQuery } from './matching.queries.ts'

export type PairNeighbours = { previous: string | null; next: string | null; place: string | null }

/** After a reload a pair is looked for among so many of its list. */
const MOST_LOOKED_THROUGH = 1_000

/** The pairs before and after this one in the list it was opened from, which goes on loading until it knows both. */
export function usePairNeighbours({ id, status }: MatchSuggestion, search: DuplicatesSearch): PairNeighbours {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = useInfiniteQuery(
    suggestionsQuery(search),
  )
  const items = data?.items ?? []
  const at = items.findIndex((item) => item.id === id)
  const isWanted =
    at === -1 ? status === (search.status ?? 'open') && items.length < MOST_LOOKED_THROUGH : at >= items.length - 2
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isWanted, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  if (at === -1) return { previous: null, next: items[0]?.id ?? null, place: null }
  const total = data?.total?.value
  return {
    previous: items[at - 1]?.id ?? null,
    next: items[at + 1]?.id ?? null,
    place: `${formatNumber(at + 1)} of ${formatNumber(total ?? items.length)}${total === undefined && hasNextPage ? ' loaded' : ''}`,
  }
}
