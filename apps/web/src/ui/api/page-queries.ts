import type { Page } from '@prospect/api-client'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type QueryValue } from './api.ts'

/** A list of the API read page by page: `data` is all items loaded so far and the newest page's bookkeeping. */
export function pagedQuery<T>(queryKey: readonly unknown[], path: string, query: Record<string, QueryValue> = {}) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => api.get<Page<T>>(path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.page.nextCursor,
    select: ({ pages }) => ({
      items: pages.flatMap((page) => page.items),
      total: pages.at(-1)?.page.total ?? null,
    }),
  })
}
