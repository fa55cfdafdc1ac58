import type { BusinessSummary, Page, PersonRef, TagCount } from '@prospect/api-client'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../ui/api.ts'
import { type BusinessListData, type BusinessListQuery, businessListKey } from '../../../ui/list-keys.ts'

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

export const assigneesQuery = queryOptions({
  queryKey: ['assignees'],
  queryFn: ({ signal }) => api.get<Page<PersonRef>>('/assignees', { query: { limit: 200 }, signal }),
  staleTime: 5 * 60_000,
})

export const tagsStartingWith = (prefix: string) =>
  queryOptions({
    queryKey: ['tags', 'filter', prefix],
    queryFn: ({ signal }) =>
      api.get<Page<TagCount>>('/businesses/tags', { query: { prefix: prefix || undefined, limit: 20 }, signal }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
