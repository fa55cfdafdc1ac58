/** What the address of the prospects list says: filters, sort and view, read strictly and written as short as can be. */
import type { PipelineState } from '@prospect/api-client'
import { pipelineOrder } from '../../../ui/pipeline-words.ts'

export const prospectSorts = ['-updatedAt', 'updatedAt', 'name', '-name', 'createdAt', '-createdAt'] as const
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
}
export type ProspectSearch = ProspectFilters & {
  sort?: ProspectSort
  view?: 'board'
  /** The part of the record shown beside the list. */
  tab?: string
}

/** Anything in the address that means nothing is dropped, never guessed at. */
export function parseProspectSearch(search: Record<string, unknown>): ProspectSearch {
  const result: ProspectSearch = {}
  const q = text(search.q, 200)
  if (q !== undefined) result.q = q
  const state = oneOf(pipelineOrder, search.state)
  if (state !== undefined) result.state = state
  const assignee = text(search.assignee, 64)
  if (assignee !== undefined) result.assignee = assignee
  const tag = text(search.tag, 100)
  if (tag !== undefined) result.tag = tag
  const province = text(search.province, 64)
  if (province !== undefined) result.province = province
  const doNotContact = flag(search.doNotContact)
  if (doNotContact !== undefined) result.doNotContact = doNotContact
  const hasEvidence = flag(search.hasEvidence)
  if (hasEvidence !== undefined) result.hasEvidence = hasEvidence
  const from = text(search.updatedFrom, 10)
  if (from !== undefined && isDay(from)) result.updatedFrom = from
  const to = text(search.updatedTo, 10)
  if (to !== undefined && isDay(to)) result.updatedTo = to
  const sort = oneOf(prospectSorts, search.sort)
  if (sort !== undefined && sort !== defaultSort) result.sort = sort
  if (search.view === 'board') result.view = 'board'
  const tab = text(search.tab, 32)
  if (tab !== undefined) result.tab = tab
  return result
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
] as const

export function filtersOf(search: ProspectSearch): ProspectFilters {
  return Object.fromEntries(filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])))
}

export function isFiltered(search: ProspectSearch): boolean {
  return filterKeys.some((key) => search[key] !== undefined)
}

// The router reads bare numbers and booleans out of an address as such; a search for "2024" is still a text.
function text(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const trimmed = String(value).trim()
  return trimmed === '' ? undefined : trimmed.slice(0, maxLength)
}

function flag(value: unknown): 'true' | 'false' | undefined {
  const read = text(value, 5)
  return read === 'true' || read === 'false' ? read : undefined
}

/** A day that exists: the thirtieth of February is no filter. */
function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((candidate) => candidate === value)
}
