import type { CreateExportData } from '@prospect/api-client'
import type { BusinessListQuery } from '../../../ui/list-keys.ts'
import { nextDay, startOfDay } from '../../../ui/zone-time.ts'
import { defaultSort, filtersOf, type ProspectSearch } from './prospect-search.ts'

/** What the address asks, as the API takes it: calendar days become moments in the tenant's zone, both days included. */
export function queryFrom(search: ProspectSearch, timeZone: string): BusinessListQuery {
  const { view: _view, tab: _tab, updatedFrom, updatedTo, sort, ...filters } = search
  return {
    ...filters,
    ...(updatedFrom === undefined ? {} : { updatedFrom: startOfDay(updatedFrom, timeZone) }),
    ...(updatedTo === undefined ? {} : { updatedTo: endOfDay(updatedTo, timeZone) }),
    sort: sort ?? defaultSort,
  }
}

/** The same for the board, whose columns are the states and whose cards come newest first. */
export function boardQuery(search: ProspectSearch, timeZone: string): BusinessListQuery {
  const { state: _state, sort: _sort, ...rest } = search
  return queryFrom(rest, timeZone)
}

type FilterBody = NonNullable<NonNullable<CreateExportData['body']>['filter']>

/** The filters alone, as a body takes them. */
export function filterBody(search: ProspectSearch, timeZone: string): FilterBody {
  const { sort: _sort, doNotContact, hasEvidence, ...rest } = queryFrom(filtersOf(search), timeZone)
  return {
    ...rest,
    ...(doNotContact === undefined ? {} : { doNotContact: doNotContact === 'true' }),
    ...(hasEvidence === undefined ? {} : { hasEvidence: hasEvidence === 'true' }),
  }
}

function endOfDay(day: string, timeZone: string): string {
  return new Date(new Date(startOfDay(nextDay(day), timeZone)).getTime() - 1).toISOString()
}
