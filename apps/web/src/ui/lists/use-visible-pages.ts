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
 * A list that loads page by page. `see` receives the visible rows: a refresh reads only their pages, and other pages are read again when they become
 * visible. `loadMore` loads the next page once no other read is pending.
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

  // A page can be empty although more follow: the server read as many rows as it may, and all of them are hidden from this user.
  const isEmptySoFar = data !== undefined && rows.length === 0 && hasNextPage
  useEffect(() => {
    if (isEmptySoFar) loadMore()
  }, [isEmptySoFar, loadMore])

  return { list, rows, total: totalOf(data) ?? null, see, loadMore }
}

/** Error of the list, for a screen that shows it itself. Sends no request. */
export function useListError<Row extends { id: string }>(pages: PagedList<Row>): Error | null {
  return useInfiniteQuery({ ...visiblePagesQuery(pages, atTheTop), enabled: false }).error
}
