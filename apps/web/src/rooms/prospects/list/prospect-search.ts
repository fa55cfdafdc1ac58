/** What the address of the prospects list says: filters, sort and view, read strictly and written as short as can be. */
import type { PipelineState } from '@prospect/api-client'
import { idFrom, oneOf, withoutUndefined } from '../../../ui/lists/search-params.ts'
import { pipelineOrder } from '../../../ui/prospects/pipeline-words.ts'
import { type ReviewFilter, reviewFilters } from '../../../ui/prospects/review-words.ts'
import { isDay } from '../../../ui/text/day.ts'
import { provinceCodeOf } from '../../../ui/text/provinces.ts'
import { readConditions } from './further-conditions.ts'

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
] as const
/** Bounds of the API. */
const MAX_WITHIN_DAYS = 3_650
const MAX_FILTER_LENGTH = 4_096

export const eligibilities = ['eligible', 'unknown', 'ineligible', 'blocked'] as const
export const defaultSort: ProspectSort = '-updatedAt'
export type ProspectSort = (typeof prospectSorts)[number]

export type ProspectFilters = {
  q?: string
  state?: PipelineState
  /** A user id, 'me' or 'none'. */
  assignee?: string
  tag?: string
  province?: string
  doNotContact?: 'true' | 'false'
  hasEvidence?: 'true' | 'false'
  /** Calendar days in the tenant's zone, both included: 2026-11-21. */
  updatedFrom?: string
  updatedTo?: string
  /** The id of a band of the active version, or 'unknown'. */
  priority?: string
  reachable?: string
  eligibility?: (typeof eligibilities)[number]
  /** Of the lowest score, 0 to 100. */
  scoreFrom?: string
  scoreTo?: string
  /** Deactivated records instead of active ones. */
  inactive?: 'true'
  review?: ReviewFilter
  /** Days before today, in UTC. */
  updatedWithinDays?: string
  /** Conditions that need several values or an exclusion, as the JSON of a filter. */
  conditions?: string
}
export type ProspectSearch = ProspectFilters & {
  /** The open saved filter; 'none': the list without the default filter. */
  saved?: string
  sort?: ProspectSort
  view?: 'board'
  /** The part of the record shown beside the list. */
  tab?: string
}

/** Fields of the address to change; undefined takes one away. */
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

const filterKeys = [
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
] as const

/** The filters of an address that say nothing, as they stand there: whoever followed it is told that they narrow nothing. */
export function unreadFilters(search: Record<string, unknown>): string[] {
  const read = parseProspectSearch(search)
  return filterKeys.flatMap((key) => {
    const value = search[key]
    const written = text(Array.isArray(value) ? value.join(',') : value, 64)
    return written === undefined || read[key] !== undefined ? [] : [`${key}=${written}`]
  })
}

/** Takes every filter away. */
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
  // A filter that was kept says it as the API does.
  return oneOf(['true', 'false'], typeof value === 'boolean' ? String(value) : text(value, 5))
}

function band(value: unknown): string | undefined {
  const read = text(value, 40)
  return read !== undefined && /^[\w-]+$/.test(read) ? read : undefined
}

function score(value: unknown): string | undefined {
  // A filter that was kept says it as the API does.
  const read = typeof value === 'number' ? String(value) : text(value, 3)
  return read !== undefined && /^(\d|[1-9]\d|100)$/.test(read) ? read : undefined
}

function days(value: unknown): string | undefined {
  const read = typeof value === 'number' ? String(value) : text(value, 4)
  return read !== undefined && /^[1-9]\d{0,3}$/.test(read) && Number(read) <= MAX_WITHIN_DAYS ? read : undefined
}

function conditions(value: unknown): string | undefined {
  const read = text(value, MAX_FILTER_LENGTH)
  const found = read === undefined ? null : readConditions(read)
  return found === null || found.length === 0 ? undefined : JSON.stringify(found)
}

function day(value: unknown): string | undefined {
  const read = text(value, 10)
  return read !== undefined && isDay(read) ? read : undefined
}
