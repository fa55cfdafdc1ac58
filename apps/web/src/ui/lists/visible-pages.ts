import type { Page } from '@prospect/api-client'
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import type { ReadPage } from '../api/page-queries.ts'
import { pagedKey } from '../api/query-keys.ts'

/** `readAt`: when it was asked for, by the clock of `performance.now()`, which is never put back. */
export type TimedPage<Row> = Page<Row> & { readAt: number }
export type ReadPages<Row> = InfiniteData<TimedPage<Row>, string | null>

/** A list of the API that is read page by page. */
export type PagedList<Row extends { id: string }> = {
  /** Of the operation with its filters, as the generated client makes it. */
  queryKey: readonly [object]
  readPage: ReadPage<Row>
  /** Rows a page. */
  limit: number
  /** Of a row: the same as long as the row has kept its place in the order. */
  placeOf: (row: Row) => string | number
  /** What was shown before stays until the list is there, and is called so (`isPlaceholderData`). */
  keepsPrevious?: boolean
  /** After how long it is read again by itself; false: not at all. */
  askAgainMs?: (rows: Row[]) => number | false
}

/** Of a list in the order in which its rows came: none of them ever leaves its place. */
export const keepsPlace = () => 0

/** Rows a page of a list that is loaded page by page on a button. */
export const ENTRIES_PER_PAGE = 50

/** The pages on screen, from the first to the last of them. */
export type VisiblePages = { firstPage: number; lastPage: number }

/** The longest page that the API gives. */
const LONGEST_PAGE = 200
/** So many rows more are asked for where a page is read again: where the next one begins is seen although some have come in between. */
const ROOM_FOR_NEW_ROWS = 10

/**
 * The pages of one list, the next one fetched by the cursor of the last. A refresh reads the first page and those in sight, whatever
 * else is loaded: every other stays as it was read, and is read again when it comes into sight (see useVisiblePages).
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
    // One that is asked for again and again is never fresh for longer than that.
    ...(askAgainMs !== undefined && {
      staleTime: 0,
      refetchInterval: ({ state }: { state: { data?: Pages<Row> | undefined } }) => askAgainMs(rowsOf(state.data).rows),
    }),
  })
}

/** Beside the key of `pagedQuery`, whose cached pages have another shape. */
export const visiblePagesKey = <Key extends object>(queryKey: readonly [Key]) =>
  [{ ...pagedKey(queryKey)[0], isTimed: true }] as const

type AskPage<Row> = (cursor: string | null, limit: number) => Promise<Page<Row>>
type Pages<Row> = Pick<ReadPages<Row>, 'pages'>

function isIn({ firstPage, lastPage }: VisiblePages, index: number): boolean {
  return index >= firstPage && index <= lastPage
}

/** A page that was last read before the first one, which every refresh reads. */
function isBehind({ pages }: Pages<unknown>, index: number): boolean {
  const [page, first] = [pages[index], pages[0]]
  return page !== undefined && first !== undefined && page.readAt < first.readAt
}

/** Whether a page in sight was left out by the last refresh. */
export function isVisiblePageOutdated(data: Pages<unknown>, sight: VisiblePages): boolean {
  return data.pages.some((_, index) => isIn(sight, index) && isBehind(data, index))
}

/**
 * A page as it is now: what stands from its beginning to where the next loaded one begins, however many rows have come or gone. A row of
 * the pages behind that is as it was still has its place, so what is read ends there. Where none is met in as many rows as are loaded, the
 * page goes on by a cursor of its own, and the pages behind are read anew.
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
  for (;;) {
    const answer = await ask(cursor, atOnce(size + ROOM_FOR_NEW_ROWS))
    const end = answer.items.findIndex((row) => behind.get(row.id) === placeOf(row))
    items.push(...(end === -1 ? answer.items : answer.items.slice(0, end)))
    cursor = end === -1 ? answer.page.nextCursor : nextPage
    if (end !== -1 || cursor === null || items.length >= size + behind.size)
      return { items, page: { ...answer.page, returned: items.length, nextCursor: cursor } }
  }
}

/** What is loaded of a list: each record once, with the page of each row. */
export type LoadedRows<Row> = { rows: Row[]; pageOfRow: number[] }

/** Pages are not all of one moment, so a record may stand on two of them: then the page counts that was read last. */
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

/** How many match, as the page says that was read last. */
export function totalOf(data: Pages<unknown> | undefined): Page<unknown>['page']['total'] | undefined {
  const last = data?.pages.reduce((newest, page) => (page.readAt < newest.readAt ? newest : page))
  return last?.page.total
}

/** A row as the list has it, if it is loaded. */
export function loadedRow<Row extends { id: string }>(
  queryClient: QueryClient,
  { queryKey }: PagedList<Row>,
  id: string,
): Row | undefined {
  const data = queryClient.getQueryData<ReadPages<Row>>(visiblePagesKey(queryKey))
  return data?.pages.flatMap(({ items }) => items).find((row) => row.id === id)
}

/** A row as each of these lists has it. */
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
