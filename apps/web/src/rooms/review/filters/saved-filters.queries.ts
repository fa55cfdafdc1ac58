import {
  type FilterDefaults,
  type FilterInput,
  listSavedFilters,
  type SavedFilter,
  setFilterDefaults,
} from '@prospect/api-client'
import { getFilterDefaultsOptions, getSavedFilterOptions, listSavedFiltersQueryKey } from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ifMatch } from '../../../ui/api/client.ts'
import { dataOf } from '../../../ui/api/data-of.ts'
import { answersAbout, pagedKey } from '../../../ui/api/query-keys.ts'
import { pagedList } from '../../../ui/lists/visible-pages.ts'

export type Desk = SavedFilter['desk']

/** Properties of a list that a filter stores. */
export type FilterContent = {
  filter: FilterInput
  sort: SavedFilter['sort']
  view: SavedFilter['view']
  columns: string[] | null
}

const LONGEST_PAGE = 200
/** Enough pages for all filters: at most 100 per user and 200 shared per workspace. */
const MAX_PAGES = 2

/** Own and shared filters of a desk, sorted by name, for its menu. */
export const deskFiltersQuery = (desk: Desk) =>
  queryOptions({
    queryKey: pagedKey(listSavedFiltersQueryKey({ query: { desk } })),
    queryFn: async ({ signal }) => {
      const filters: SavedFilter[] = []
      let cursor: string | null = null
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query: { desk: Desk; limit: number; cursor?: string } = {
          desk,
          limit: LONGEST_PAGE,
          ...(cursor !== null && { cursor }),
        }
        const answer = await dataOf(listSavedFilters({ query, signal }))
        filters.push(...answer.items)
        cursor = answer.page.nextCursor
        if (cursor === null) break
      }
      return filters
    },
  })

export const savedFilterPages = pagedList(listSavedFiltersQueryKey(), (page, signal) =>
  dataOf(listSavedFilters({ query: page, signal })),
)

export const savedFilterQuery = (savedFilterId: string) => getSavedFilterOptions({ path: { savedFilterId } })

export const defaultsQuery = getFilterDefaultsOptions()

/** Id of the default filter of a desk: the user's, otherwise the workspace's. */
export const defaultFilterOf = (defaults: FilterDefaults, desk: Desk): string | null =>
  defaults.own[desk] ?? defaults.tenant[desk]

/** True if a condition of the filter is unreadable or erased. Such a filter is not applied, because it would match more without that condition. */
export const isBroken = ({ problems }: Pick<SavedFilter, 'problems'>): boolean => problems.length > 0

export async function refreshFilters(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: answersAbout('saved filters') }),
    queryClient.invalidateQueries({ queryKey: answersAbout('dashboard') }),
  ])
}

export type DefaultChange = { scope: 'own' | 'tenant'; desk: Desk; filterId: string | null }

/** Sets or clears the default filter of a desk; the other desk is unchanged. */
export async function setDefault(queryClient: QueryClient, { scope, desk, filterId }: DefaultChange) {
  const now = await queryClient.fetchQuery({ ...defaultsQuery, staleTime: 0 })
  const version = scope === 'own' ? now.version : now.tenantVersion
  const body = { scope, ...now[scope], [desk]: filterId }
  return dataOf(setFilterDefaults({ body, ...ifMatch(version) }))
}
