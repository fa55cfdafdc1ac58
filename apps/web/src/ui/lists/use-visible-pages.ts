import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  isVisiblePageOutdated,
  type PagedList,
  rowsOf,
  totalOf,
  type VisiblePages,
  visiblePagesQuery,
} from './visible-pages.ts'

const atTheTop: VisiblePages = { firstPage: 0, lastPage: 0 }

/**
 * A list that grows page by page. `see` is told which rows are on screen: a refresh reads their pages, and what a refresh
 * has left out is read when it is seen. `loadMore` brings the next page, once nothing else is being read.
 */
export function useVisiblePages<Row extends { id: string }>(pages: PagedList<Row>) {
  const [sight, setSight] = useState(atTheTop)
  const list = useInfiniteQuery(visiblePagesQuery(pages, sight))
  const { data, isFetching, isRefetchError, isPlaceholderData, refetch } = list
  const { rows, pageOfRow } = useMemo(() => rowsOf(data), [data])

  const see = useCallback(
    (firstRow: number, lastRow: number) => {
      const firstPage = pageOfRow[firstRow]
      const lastPage = pageOfRow[Math.min(lastRow, pageOfRow.length - 1)]
      if (firstPage === undefined || lastPage === undefined) return
      setSight((before) =>
        before.firstPage === firstPage && before.lastPage === lastPage ? before : { firstPage, lastPage },
      )
    },
    [pageOfRow],
  )

  const isBehind = data !== undefined && !isPlaceholderData && isVisiblePageOutdated(data, sight)
  useEffect(() => {
    if (isBehind && !isFetching && !isRefetchError) void refetch()
  }, [isBehind, isFetching, isRefetchError, refetch])

  const { hasNextPage, isFetchNextPageError, fetchNextPage } = list
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])

  return { list, rows, total: totalOf(data) ?? null, see, loadMore }
}

/** Why the list could not be read, for a screen that shows the reason itself. Reads nothing by itself. */
export function useListError<Row extends { id: string }>(pages: PagedList<Row>): Error | null {
  return useInfiniteQuery({ ...visiblePagesQuery(pages, atTheTop), enabled: false }).error
}
