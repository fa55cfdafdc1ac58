import type { BusinessSummary } from '@prospect/api-client'
import { useVisiblePages } from '../lists/use-visible-pages.ts'
import type { PagedList } from '../lists/visible-pages.ts'
import { type ProspectListQuery, prospectListKey } from './list-keys.ts'

/** Every change of a place in a list raises the version. */
export const prospectPages = (query: ProspectListQuery, limit: number): PagedList<BusinessSummary> => ({
  queryKey: prospectListKey(query),
  path: '/businesses',
  query,
  limit,
  placeOf: ({ version }) => version,
  keepsPrevious: true,
})

export const useProspectPages = (query: ProspectListQuery, limit: number) =>
  useVisiblePages(prospectPages(query, limit))
