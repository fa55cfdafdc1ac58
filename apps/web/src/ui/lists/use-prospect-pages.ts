import type { BusinessSummary } from '@prospect/api-client'
import { type BusinessListQuery, businessListKey } from '../api/list-keys.ts'
import { usePagesInSight } from './use-visible-pages.ts'
import type { PagedList } from './visible-pages.ts'

/** Every change of a place in a list raises the version. */
export const businessPages = (query: BusinessListQuery, limit: number): PagedList<BusinessSummary> => ({
  queryKey: businessListKey(query),
  path: '/businesses',
  query,
  limit,
  placeOf: ({ version }) => version,
  keepsPrevious: true,
})

export const useBusinessPages = (query: BusinessListQuery, limit: number) =>
  usePagesInSight(businessPages(query, limit))
