import type { Page } from '@prospect/api-client'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { pagedKey } from './query-keys.ts'

/** Position of a page in a list: the first page, or the one at `cursor`. */
export type PageRequest = { cursor?: string; limit?: number }

/** Function that reads one page: `(page, signal) => dataOf(listNotes({ path: { businessId }, query: page, signal }))`. */
export type ReadPage<Row> = (page: PageRequest, signal: AbortSignal) => Promise<Page<Row>>

/** Query of a list that is read page by page. `data` holds all loaded items and the total of the first page, because later pages are not counted. */
export function pagedQuery<Row>(queryKey: readonly [object], readPage: ReadPage<Row>) {
  return infiniteQueryOptions({
    queryKey: pagedKey(queryKey),
    queryFn: ({ pageParam, signal }) => readPage(pageParam === null ? {} : { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.page.nextCursor,
    select: ({ pages }) => ({
      items: pages.flatMap((page) => page.items),
      total: pages[0]?.page.total ?? null,
    }),
  })
}
