import type { FilterInput } from '@prospect/api-client'
import type { ProspectListQuery } from '../../../ui/prospects/list-keys.ts'
import { type ChipField, clearedField, conditionsFrom } from './address-filters.ts'
import { defaultSort, filtersOf, type ProspectFilters, type ProspectSearch } from './prospect-search.ts'

/** Query of the API for the list of an address. */
export function queryFrom(search: ProspectSearch, timeZone: string): ProspectListQuery {
  return { ...queryOf(conditionsFrom(filtersOf(search), timeZone)), sort: search.sort ?? defaultSort }
}

/** Query of the board, newest first. Its columns add the state. */
export function boardQuery(search: ProspectSearch, timeZone: string): ProspectListQuery {
  return { ...queryOf(conditionsFrom(shownFilters({ ...search, view: 'board' }), timeZone)), sort: defaultSort }
}

const queryOf = (conditions: FilterInput): ProspectListQuery =>
  conditions.length === 0 ? {} : { conditions: JSON.stringify(conditions) }

/** Fields that the board ignores: it shows the active prospects in every state. */
export const ignoredOnBoard: readonly ChipField[] = ['state', 'status']

/** Filters that the view applies. */
export function shownFilters(search: ProspectSearch): ProspectFilters {
  const ignored = search.view === 'board' ? ignoredOnBoard.map(clearedField) : []
  return filtersOf(Object.assign({}, search, ...ignored))
}
