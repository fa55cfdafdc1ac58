import type { BusinessSummary, Page } from '@prospect/api-client'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api } from './api.ts'
import { type BusinessListData, type BusinessListQuery, businessListKey } from './list-keys.ts'

/** The pages of one list, the next one fetched by the cursor of the last. */
export const businessPagesQuery = (query: BusinessListQuery, limit = 50) =>
  infiniteQueryOptions({
    queryKey: businessListKey(query),
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<BusinessSummary>>('/businesses', { query: { ...query, limit, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.page.nextCursor,
    placeholderData: keepPreviousData,
  })

/** Each record once: one that was changed meanwhile may stand on two pages, and then its newest row counts. */
export function rowsOf(data: Pick<BusinessListData, 'pages'> | undefined): BusinessSummary[] {
  const rows = new Map<string, BusinessSummary>()
  for (const page of data?.pages ?? []) {
    for (const row of page.items) {
      const known = rows.get(row.id)
      if (known === undefined || known.version < row.version) rows.set(row.id, row)
    }
  }
  return [...rows.values()]
}
