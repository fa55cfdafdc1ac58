import type { CreateExportData } from '@prospect/api-client'
import type { ProspectListQuery } from '../../../ui/prospects/list-keys.ts'
import { dayIn } from '../../../ui/text/format.ts'
import { nextDay, startOfDay } from '../../../ui/text/zone-time.ts'
import {
  defaultSort,
  filtersOf,
  type ProspectFilters,
  type ProspectSearch,
  parseProspectSearch,
} from './prospect-search.ts'

/** What the address asks, as the API takes it: calendar days become moments in the tenant's zone, both days included. */
export function queryFrom(search: ProspectSearch, timeZone: string): ProspectListQuery {
  const { view: _view, tab: _tab, saved: _saved, sort, inactive, ...asked } = search
  const { updatedFrom, updatedTo, scoreFrom, scoreTo, updatedWithinDays, ...filters } = asked
  return {
    ...filters,
    ...(updatedFrom === undefined ? {} : { updatedFrom: startOfDay(updatedFrom, timeZone) }),
    ...(updatedTo === undefined ? {} : { updatedTo: endOfDay(updatedTo, timeZone) }),
    ...(scoreFrom === undefined ? {} : { scoreFrom: Number(scoreFrom) }),
    ...(scoreTo === undefined ? {} : { scoreTo: Number(scoreTo) }),
    ...(inactive === undefined ? {} : { status: 'inactive' as const }),
    ...(updatedWithinDays === undefined ? {} : { updatedWithinDays: Number(updatedWithinDays) }),
    sort: sort ?? defaultSort,
  }
}

/** The same for the board, whose columns are the states, whose cards are active records and come newest first. */
export function boardQuery(search: ProspectSearch, timeZone: string): ProspectListQuery {
  const { state: _state, sort: _sort, inactive: _inactive, ...rest } = search
  return queryFrom(rest, timeZone)
}

type FilterBody = NonNullable<NonNullable<CreateExportData['body']>['filter']>

/** The filters alone, as an export takes them: without further conditions. */
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
 * The way back, from a filter that was kept. Moments that are not the edges of a day in this zone (an integration sent them, or the
 * tenant had another zone then) are no days: they come apart, as they are.
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

export function endOfDay(day: string, timeZone: string): string {
  return new Date(new Date(startOfDay(nextDay(day), timeZone)).getTime() - 1).toISOString()
}
