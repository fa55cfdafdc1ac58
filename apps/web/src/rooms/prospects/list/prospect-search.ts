/** Search parameters of the prospects list: filters, sort and view. Invalid values are dropped, and defaults are not written. */
import type { PipelineState } from '@prospect/api-client'
import { idFrom, oneOf, withoutUndefined } from '../../../ui/lists/search-params.ts'
import { pipelineOrder } from '../../../ui/prospects/pipeline-words.ts'
import { type ReviewFilter, reviewFilters } from '../../../ui/prospects/review-words.ts'
import { isDay } from '../../../ui/text/day.ts'
import { numberFacts } from '../../../ui/text/facts.ts'
import { provinceCodeOf } from '../../../ui/text/provinces.ts'
import { readConditions, writeConditions } from './condition-text.ts'

export const prospectSorts = [
  '-updatedAt',
  'updatedAt',
  'name',
  '-name',
  'createdAt',
  '-createdAt',
  '-score',
  'score',
  'state',
  '-state',
  'assignee',
  '-assignee',
  'city',
  '-city',
  'lastInteractionAt',
  '-lastInteractionAt',
  'followUpOn',
  '-followUpOn',
  ...numberFacts.flatMap((field) => [field, `-${field}`] as const),
] as const
/** Limits of the API. */
const MAX_WITHIN_DAYS = 3_650
const MAX_FILTER_LENGTH = 4_096

export const eligibilities = ['eligible', 'unknown', 'ineligible', 'blocked'] as const
export const defaultSort: ProspectSort = '-updatedAt'
export type ProspectSort = (typeof prospectSorts)[number]

export type ProspectFilters = {
  q?: string
  state?: PipelineState
  /** Id of a user, 'me' or 'none'. */
  assignee?: string
  tag?: string
  province?: string
  doNotContact?: 'true' | 'false'
  hasEvidence?: 'true' | 'false'
  /** Calendar days in the tenant's zone, both included: 2026-11-21. */
  updatedFrom?: string
  updatedTo?: string
  /** Id of a band of the active version, or 'unknown'. */
  priority?: string
  reachable?: string
  eligibility?: (typeof eligibilities)[number]
  /** Range of the lowest score, 0 to 100. */
  scoreFrom?: string
  scoreTo?: string
  /** Deactivated records instead of active ones. */
  inactive?: 'true'
  review?: ReviewFilter
  /** Number of days before today, in the tenant's zone. */
  updatedWithinDays?: string
  /** Conditions with several values or an exclusion, as JSON. */
  conditions?: string
}
export type ProspectSearch = ProspectFilters & {
  /** Id of the open saved filter; 'none' for the list without the default filter. */
  saved?: string
  sort?: ProspectSort
  view?: 'board'
  /** Tab of the record beside the list. */
  tab?: string
}

/** Parameters to change; undefined removes one. */
type Patch<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined }
export type FilterPatch = Patch<ProspectFilters>
export type SearchPatch = Patch<ProspectSearch>

export function parseProspectSearch(search: Record<string, unknown>): ProspectSearch {
  const sort = oneOf(prospectSorts, search.sort)
  return withoutUndefined({
    q: text(search.q, 200),
    state: oneOf(pipelineOrder, search.state),
    assignee: text(search.assignee, 64),
    tag: text(search.tag, 100),
    province: province(search.province),
    doNotContact: flag(search.doNotContact),
    hasEvidence: flag(search.hasEvidence),
    updatedFrom: day(search.updatedFrom),
    updatedTo: day(search.updatedTo),
    priority: band(search.priority),
    reachable: band(search.reachable),
    eligibility: oneOf(eligibilities, search.eligibility),
    scoreFrom: score(search.scoreFrom),
    scoreTo: score(search.scoreTo),
    inactive: flag(search.inactive) === 'true' ? 'true' : undefined,
    review: oneOf(reviewFilters, search.review),
    updatedWithinDays: days(search.updatedWithinDays),
    conditions: conditions(search.conditions),
    saved: idFrom(search.saved),
    sort: sort === defaultSort ? undefined : sort,
    view: oneOf(['board'], search.view),
    tab: text(search.tab, 32),
  })
}

export const filterKeys = [
  'q',
  'state',
  'assignee',
  'tag',
  'province',
  'doNotContact',
  'hasEvidence',
  'updatedFrom',
  'updatedTo',
  'priority',
  'reachable',
  'eligibility',
  'scoreFrom',
  'scoreTo',
  'inactive',
  'review',
  'updatedWithinDays',
  'conditions',
] as const satisfies readonly (keyof ProspectFilters)[]
export type FilterKey = (typeof filterKeys)[number]

/** Filters of an address that could not be parsed, as written, so that the screen can report that they have no effect. */
export function unreadFilters(search: Record<string, unknown>): string[] {
  const read = parseProspectSearch(search)
  return filterKeys.flatMap((key) => {
    const value = search[key]
    const written = text(Array.isArray(value) ? value.join(',') : value, 64)
    return written === undefined || read[key] !== undefined ? [] : [`${key}=${written}`]
  })
}

/** Patch that clears all filters. */
export const noFilters: SearchPatch = Object.fromEntries([...filterKeys, 'saved'].map((key) => [key, undefined]))

export function filtersOf(search: ProspectSearch): ProspectFilters {
  return Object.fromEntries(filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])))
}

export function isFiltered(search: ProspectSearch): boolean {
  return filterKeys.some((key) => search[key] !== undefined)
}

function text(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed.slice(0, maxLength)
}

function province(value: unknown): string | undefined {
  const written = text(value, 64) ?? ''
  return oneOf(['other', 'none'], written.toLowerCase()) ?? provinceCodeOf(written)
}

function flag(value: unknown): 'true' | 'false' | undefined {
  // Stored filters contain booleans, as in the API.
  return oneOf(['true', 'false'], typeof value === 'boolean' ? String(value) : text(value, 5))
}

function band(value: unknown): string | undefined {
  const read = text(value, 40)
  return read !== undefined && /^[\w-]+$/.test(read) ? read : undefined
}

function score(value: unknown): string | undefined {
  // Stored filters contain numbers, as in the API.
  const read = typeof value === 'number' ? String(value) : text(value, 3)
  return read !== undefined && /^(\d|[1-9]\d|100)$/.test(read) ? read : undefined
}

function days(value: unknown): string | undefined {
  const read = typeof value === 'number' ? String(value) : text(value, 4)
  return read !== undefined && /^[1-9]\d{0,3}$/.test(read) && Number(read) <= MAX_WITHIN_DAYS ? read : undefined
}

function conditions(value: unknown): string | undefined {
  // A part of the text would be another filter.
  if (typeof value !== 'string' || value.length > MAX_FILTER_LENGTH) return undefined
  // The spaces at the end can belong to the last value.
  const found = readConditions(value.trimStart())
  return found === null || found.length === 0 ? undefined : writeConditions(found)
}

function day(value: unknown): string | undefined {
  const read = text(value, 10)
  return read !== undefined && isDay(read) ? read : undefined
}
