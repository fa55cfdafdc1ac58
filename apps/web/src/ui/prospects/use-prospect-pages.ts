import { type BusinessSummary, listBusinesses } from '@prospect/api-client'
import { listBusinessesQueryKey } from '@prospect/api-client/query'
import { dataOf } from '../api/data-of.ts'
import { useVisiblePages } from '../lists/use-visible-pages.ts'
import type { PagedList } from '../lists/visible-pages.ts'
import type { ProspectListQuery } from './list-keys.ts'

/** Every change of a place in a list raises the version. */
export const prospectPages = (query: ProspectListQuery, limit: number): PagedList<BusinessSummary> => ({
  queryKey: listBusinessesQueryKey({ query }),
  readPage: (page, signal) => dataOf(listBusinesses({ query: { ...query, ...page }, signal })),
  limit,
  placeOf: ({ version }) => version,
  keepsPrevious: true,
})

export const useProspectPages = (query: ProspectListQuery, limit: number) =>
  useVisiblePages(prospectPages(query, limit))
