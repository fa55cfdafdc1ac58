import type { CreateExportData } from '@prospect/api-client'
import type { ProspectListQuery } from '../../../ui/prospects/list-keys.ts'
import { dayIn } from '../../../ui/text/format.ts'
import { endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import { readConditions } from './further-conditions.ts'
import {
  defaultSort,
  filtersOf,
  type ProspectFilters,
  type ProspectSearch,
  parseProspectSearch,
} from './prospect-search.ts'

/** Query of the API for the address: calendar days become instants in the tenant's zone, both days included. */
export function queryFrom(search: ProspectSearch, timeZone: string): ProspectListQuery {
  const { view: _view, tab: _tab, saved: _saved, sort, inactive, ...asked } = search
  const { updatedFrom, updatedTo, scoreFrom, scoreTo, updatedWithinDays, conditions, ...filters } = asked
  return {
    ...filters,
    ...(updatedFrom === undefined ? {} : { updatedFrom: startOfDay(updatedFrom, timeZone) }),
    ...(updatedTo === undefined ? {} : { updatedTo: endOfDay(updatedTo, timeZone) }),
    ...(scoreFrom === undefined ? {} : { scoreFrom: Number(scoreFrom) }),
    ...(scoreTo === undefined ? {} : { scoreTo: Number(scoreTo) }),
    ...(inactive === undefined ? {} : { status: 'inactive' as const }),
    ...(updatedWithinDays === undefined ? {} : { updatedWithinDays: Number(updatedWithinDays) }),
    ...(conditions === undefined ? {} : { conditions: JSON.stringify(readConditions(conditions) ?? []) }),
    sort: sort ?? defaultSort,
  }
}

/** Query of the board: without the state, which its columns add, and only active records, newest first. */
export function boardQuery(search: ProspectSearch, timeZone: string): ProspectListQuery {
  const { state: _state, sort: _sort, inactive: _inactive, ...rest } = search
  return queryFrom(rest, timeZone)
}

type FilterBody = NonNullable<NonNullable<CreateExportData['body']>['filter']>

/** Filters in the form of an export, without conditions. */
export function filterBody(search: ProspectSearch, timeZone: string): FilterBody {
  const {
    sort: _sort,
    status: _status,
    conditions: _conditions,
    doNotContact,
    hasEvidence,
    ...rest
  } = queryFrom(filtersOf(search), timeZone)
  return {
    ...rest,
    ...(doNotContact === undefined ? {} : { doNotContact: doNotContact === 'true' }),
    ...(hasEvidence === undefined ? {} : { hasEvidence: hasEvidence === 'true' }),
  }
}

/**
 * Converts a stored filter back to filters of an address. Times that are not the start or end of a day in this zone (from an integration, or from
 * when the tenant had another zone) are returned separately in `after` and `before`.
 */
export function filtersFrom(
  kept: Record<string, unknown>,
  timeZone: string,
): { filters: ProspectFilters; after: string | null; before: string | null } {
  const { updatedFrom, updatedTo, ...rest } = kept
  const from = edge(updatedFrom, startOfDay, timeZone)
  const to = edge(updatedTo, endOfDay, timeZone)
  const days = { updatedFrom: from.day, updatedTo: to.day }
  return { filters: filtersOf(parseProspectSearch({ ...rest, ...days })), after: from.moment, before: to.moment }
}

export function edge(at: unknown, edgeOf: typeof startOfDay, timeZone: string) {
  if (typeof at !== 'string') return { day: undefined, moment: null }
  const day = dayIn(at, timeZone)
  return edgeOf(day, timeZone) === at ? { day, moment: null } : { day: undefined, moment: at }
}
