import type { Page } from '@prospect/api-client'
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import type { ReadPage } from '../api/page-queries.ts'
import { pagedKey } from '../api/query-keys.ts'
import type { Total } from '../api/total.ts'

/** `readAt`: time of the request by `performance.now()`, which never goes back. */
export type TimedPage<Row> = Page<Row> & { readAt: number }
export type ReadPages<Row> = InfiniteData<TimedPage<Row>, string | null>

/** A list of the API that is read page by page. */
export type PagedList<Row extends { id: string }> = {
  /** Key from the generated client, including the filters. */
  queryKey: readonly [object]
  readPage: ReadPage<Row>
  /** Rows per page. */
  limit: number
  /** Returns a value that changes only if the row moves in the list. */
  placeOf: (row: Row) => string | number
  /** True: the previous data stays until the list has loaded, marked with `isPlaceholderData`. */
  keepsPrevious?: boolean
  /** Interval in ms after which the list is read again; false for no polling. */
  askAgainMs?: (rows: Row[]) => number | false
}

/** `placeOf` of a list in order of creation: rows never move. */
export const keepsPlace = () => 0

/** Rows per page of most lists. */
const ENTRIES_PER_PAGE = 50

type ListOptions<Row extends { id: string }> = Partial<Omit<PagedList<Row>, 'queryKey' | 'readPage'>>

/** A list for `ListScreen`, written like `pagedQuery`. By default it is in order of creation. */
export function pagedList<Row extends { id: string }>(
  queryKey: readonly [object],
  readPage: ReadPage<Row>,
  options: ListOptions<Row> = {},
): PagedList<Row> {
  return { queryKey, readPage, limit: ENTRIES_PER_PAGE, placeOf: keepsPlace, ...options }
}

/** Indexes of the first and last visible page. */
export type VisiblePages = { firstPage: number; lastPage: number }

/** Maximum page length of the API. */
const LONGEST_PAGE = 200
/** Extra rows requested when a page is read again, so that the start of the next page is found even if a few rows were added. */
const ROOM_FOR_NEW_ROWS = 10

/**
 * Query of a list whose pages are read one after another by cursor. A refresh reads only the first page and the visible ones; the other pages stay as
 * they are and are read again when they become visible (see useVisiblePages).
 */
export function visiblePagesQuery<Row extends { id: string }>(list: PagedList<Row>, sight: VisiblePages) {
  const { readPage, limit, askAgainMs } = list
  const queryKey = visiblePagesKey(list.queryKey)
  return infiniteQueryOptions({
    queryKey,
    queryFn: async ({ client, pageParam, signal }): Promise<TimedPage<Row>> => {
      const readAt = performance.now()
      const ask: AskPage<Row> = (cursor, many) => readPage({ limit: many, ...(cursor !== null && { cursor }) }, signal)
      const known = client.getQueryData<ReadPages<Row>>(queryKey)
      const index = known?.pageParams.indexOf(pageParam) ?? -1
      const page = known?.pages[index]
      if (known === undefined || page === undefined) return { ...(await ask(pageParam, limit)), readAt }
      const isStale = client.getQueryCache().find({ queryKey })?.isStale() === true
      const isWanted = index === 0 || isIn(sight, index)
      return isWanted && (isStale || isBehind(known, index))
        ? { ...(await readAgain(known, index, list, ask)), readAt }
        : page
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.page.nextCursor,
    ...(list.keepsPrevious === true && { placeholderData: keepPreviousData }),
    // Polling lists are never fresh, so a refresh always reads them.
    ...(askAgainMs !== undefined && {
      staleTime: 0,
      refetchInterval: ({ state }: { state: { data?: Pages<Row> | undefined } }) => askAgainMs(rowsOf(state.data).rows),
    }),
  })
}

/** Key of a list with `readAt`. It differs from the key of `pagedQuery`, whose cached pages have another shape. */
export const visiblePagesKey = <Key extends object>(queryKey: readonly [Key]) =>
  [{ ...pagedKey(queryKey)[0], isTimed: true }] as const

type AskPage<Row> = (cursor: string | null, limit: number) => Promise<Page<Row>>
type Pages<Row> = Pick<ReadPages<Row>, 'pages'>

function isIn({ firstPage, lastPage }: VisiblePages, index: number): boolean {
  return index >= firstPage && index <= lastPage
}

/** True if a page was read before the first one, which every refresh reads. */
function isBehind({ pages }: Pages<unknown>, index: number): boolean {
  const [page, first] = [pages[index], pages[0]]
  return page !== undefined && first !== undefined && page.readAt < first.readAt
}

/** True if the last refresh skipped a page that is visible now. */
export function isVisiblePageOutdated(data: Pages<unknown>, sight: VisiblePages): boolean {
  return data.pages.some((_, index) => isIn(sight, index) && isBehind(data, index))
}

/**
 * Reads a page again, up to the row at which the next loaded page starts, however many rows were added or removed. An unchanged row of a later page
 * has kept its place, so reading stops there. If no such row is found within the number of loaded rows, the page gets a new cursor, and the later
 * pages are read from it.
 */
async function readAgain<Row extends { id: string }>(
  { pages, pageParams }: ReadPages<Row>,
  index: number,
  { limit, placeOf }: PagedList<Row>,
  ask: AskPage<Row>,
): Promise<Page<Row>> {
  const atOnce = (many: number) => Math.min(LONGEST_PAGE, Math.max(limit, many))
  const size = pages[index]?.items.length ?? 0
  const nextPage = pageParams[index + 1]
  let cursor = pageParams[index] ?? null
  if (nextPage === undefined) return ask(cursor, atOnce(size))
  const behind = new Map(pages.slice(index + 1).flatMap(({ items }) => items.map((row) => [row.id, placeOf(row)])))
  const items: Row[] = []
  let total: Total | null | undefined
  for (;;) {
    const answer = await ask(cursor, atOnce(size + ROOM_FOR_NEW_ROWS))
    total ??= answer.page.total
    const end = answer.items.findIndex((row) => behind.get(row.id) === placeOf(row))
    items.push(...(end === -1 ? answer.items : answer.items.slice(0, end)))
    cursor = end === -1 ? answer.page.nextCursor : nextPage
    if (end !== -1 || cursor === null || items.length >= size + behind.size)
      return { items, page: { ...answer.page, total: total ?? null, returned: items.length, nextCursor: cursor } }
  }
}

/** Loaded rows of a list, each record once, with the page index of each row. */
export type LoadedRows<Row> = { rows: Row[]; pageOfRow: number[] }

/** Loaded rows. Pages are read at different times, so a record can be on two of them; then the page that was read last wins. */
export function rowsOf<Row extends { id: string }>(data: Pages<Row> | undefined): LoadedRows<Row> {
  const pages = data?.pages ?? []
  const newest = new Map<string, TimedPage<Row>>()
  for (const page of pages) {
    for (const { id } of page.items) {
      const known = newest.get(id)
      if (known === undefined || known.readAt < page.readAt) newest.set(id, page)
    }
  }
  const placed = pages.flatMap((page, index) =>
    page.items.filter(({ id }) => newest.get(id) === page).map((row) => ({ row, index })),
  )
  return { rows: placed.map(({ row }) => row), pageOfRow: placed.map(({ index }) => index) }
}

/** Number of matching rows according to the first page, which every refresh reads. Later pages are not counted. */
export function totalOf(data: Pages<unknown> | undefined): Total | null | undefined {
  return data?.pages[0]?.page.total
}

/** The row as loaded in the list, or undefined. */
export function loadedRow<Row extends { id: string }>(
  queryClient: QueryClient,
  { queryKey }: PagedList<Row>,
  id: string,
): Row | undefined {
  const data = queryClient.getQueryData<ReadPages<Row>>(visiblePagesKey(queryKey))
  return data?.pages.flatMap(({ items }) => items).find((row) => row.id === id)
}

/** All cached versions of a row in the lists that match the key. */
export function loadedRows<Row extends { id: string }>(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
  id: string,
): Row[] {
  return queryClient
    .getQueriesData<ReadPages<Row>>({ queryKey })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ items }) => items.filter((row) => row.id === id))
}
