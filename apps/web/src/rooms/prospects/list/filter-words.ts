import type { PersonRef } from '@prospect/api-client'
import type { ScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { bandName } from '../../../ui/prospects/score-words.ts'
import { formatDay } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { provinceName } from '../../../ui/text/provinces.ts'
import { furtherFieldWords } from './condition-words.ts'
import { filtersFromConditions, furtherOf } from './filter-conditions.ts'
import type { FilterCondition } from './further-conditions.ts'
import type { ProspectFilters } from './prospect-search.ts'

/** Filters in the menu. The search text has its own field, and the two ends of "updated" are one filter. */
export const filterFields = [
  'state',
  'assignee',
  'tag',
  'province',
  'doNotContact',
  'hasEvidence',
  'updated',
  'priority',
  'reachable',
  'score',
  'eligibility',
  'inactive',
  'review',
] as const
export type FilterField = (typeof filterFields)[number]

export const filterFieldNames: Record<FilterField, string> = {
  state: 'Pipeline state',
  assignee: 'Assignee',
  tag: 'Tag',
  province: 'Province',
  doNotContact: 'Do not contact',
  hasEvidence: 'Evidence',
  updated: 'Updated',
  priority: 'Priority',
  reachable: 'Could reach',
  score: 'Score',
  eligibility: 'Eligibility',
  inactive: 'Inactive',
  review: 'Review',
}

export function hasFilter(filters: ProspectFilters, field: FilterField): boolean {
  if (field === 'updated')
    return [filters.updatedFrom, filters.updatedTo, filters.updatedWithinDays].some((one) => one !== undefined)
  if (field === 'score') return filters.scoreFrom !== undefined || filters.scoreTo !== undefined
  return filters[field] !== undefined
}

/** Patch that clears a field's filter, with all its parameters. */
export function clearedField(field: FilterField): Partial<Record<keyof ProspectFilters, undefined>> {
  if (field === 'updated') return { updatedFrom: undefined, updatedTo: undefined, updatedWithinDays: undefined }
  return field === 'score' ? { scoreFrom: undefined, scoreTo: undefined } : { [field]: undefined }
}

/** Names for texts. Without `bands`, a band is shown by its id. */
type Names = { people: readonly PersonRef[]; bands?: ScoreBands }

/** Part of the sentence "Prospects …" for one filter; null if it is not set. */
export function filterWords(
  filters: ProspectFilters,
  field: FilterField,
  { people, bands = [] }: Names,
): string | null {
  switch (field) {
    case 'state':
      return filters.state === undefined ? null : `in ${pipelineStateName(filters.state)}`
    case 'assignee':
      return filters.assignee === undefined ? null : assigneeWords(filters.assignee, people)
    case 'tag':
      return filters.tag === undefined ? null : `tagged ${nameText(filters.tag)}`
    case 'province':
      return filters.province === undefined ? null : provinceWords(filters.province)
    case 'doNotContact':
      if (filters.doNotContact === undefined) return null
      return filters.doNotContact === 'true' ? 'marked do not contact' : 'not marked do not contact'
    case 'hasEvidence':
      if (filters.hasEvidence === undefined) return null
      return filters.hasEvidence === 'true' ? 'with evidence' : 'without evidence'
    case 'updated':
      return updatedWords(filters)
    case 'priority':
      return filters.priority === undefined ? null : `with priority ${bandWords(bands, filters.priority)}`
    case 'reachable':
      return filters.reachable === undefined ? null : `that could reach ${bandWords(bands, filters.reachable)}`
    case 'score':
      return scoreWords(filters.scoreFrom, filters.scoreTo)
    case 'inactive':
      return filters.inactive === undefined ? null : 'that are inactive'
    case 'eligibility':
      return filters.eligibility === undefined ? null : eligibilityFilterWords[filters.eligibility]
    case 'review':
      return filters.review === undefined ? null : reviewFilterWords(filters.review)
  }
}

/** Text of a condition in the `conditions` parameter: several values, an exclusion, or an empty value. */
export function conditionWords({ field, op, values }: FilterCondition, names: Names, timeZone: string): string {
  const further = furtherFieldWords({ field, op, values } as FilterCondition, timeZone)
  if (further !== null) return further
  if (op === 'is_empty') return `without a ${field}`
  if (op === 'is_not_empty') return `with any ${field}`
  if (op !== 'any_of' && op !== 'none_of')
    return `${filterFieldNames.updated.toLowerCase()} between ${values.join(' and ')}`
  const parts = values.map((value) => {
    const one = filtersFromConditions([{ field, op: 'any_of', values: [value] } as FilterCondition], timeZone)
    return filterFields.flatMap((known) => filterWords(one, known, names) ?? []).join('') || `${field} ${String(value)}`
  })
  const words = parts.join(' or ')
  return op === 'any_of' ? words : `not ${words}`
}

/** All filters as one sentence, for screen readers and titles: "Prospects in New, assigned to me". */
export function filterSentence(filters: ProspectFilters, names: Names): string {
  const parts = filterFields.flatMap((field) => filterWords(filters, field, names) ?? [])
  parts.push(...furtherOf(filters).map((condition) => conditionWords(condition, names, 'UTC')))
  if (filters.q !== undefined) parts.unshift(`containing “${nameText(filters.q)}”`)
  return parts.length === 0 ? 'All prospects' : `Prospects ${parts.join(', ')}`
}

function assigneeWords(assignee: string, people: readonly PersonRef[]): string {
  if (assignee === 'me') return 'assigned to me'
  if (assignee === 'none') return 'unassigned'
  const person = people.find(({ id }) => id === assignee)
  return person === undefined ? 'assigned to someone not listed' : `assigned to ${nameText(person.name)}`
}

function provinceWords(province: string): string {
  if (province === 'other') return 'in another province'
  if (province === 'none') return 'without a province'
  return `in ${provinceName(province)}`
}

/** The bands are those of the active version: a filter can name one of an earlier version. */
function bandWords(bands: ScoreBands, id: string): string {
  const isGone = bands.length > 0 && id !== 'unknown' && !bands.some((band) => band.id === id)
  return nameText(bandName(bands, id)) + (isGone ? ' (no longer exists)' : '')
}

const eligibilityFilterWords: Record<NonNullable<ProspectFilters['eligibility']>, string> = {
  eligible: 'that are eligible',
  unknown: 'whose eligibility is unknown',
  ineligible: 'that are ineligible',
  blocked: 'without a score because of do not contact',
}

function scoreWords(from: string | undefined, to: string | undefined): string | null {
  if (from !== undefined && to !== undefined) return `with a score from ${from} to ${to}`
  if (from !== undefined) return `with a score of at least ${from}`
  return to === undefined ? null : `with a score of at most ${to}`
}

function reviewFilterWords(review: NonNullable<ProspectFilters['review']>): string {
  return review === 'due' ? 'due for review' : reviewStateWords[review].toLowerCase()
}

function updatedWords({ updatedFrom: from, updatedTo: to, updatedWithinDays: days }: ProspectFilters): string | null {
  if (days !== undefined) return `updated within ${days} ${days === '1' ? 'day' : 'days'}`
  if (from !== undefined && to !== undefined) {
    return from === to ? `updated on ${formatDay(from)}` : `updated from ${formatDay(from)} to ${formatDay(to)}`
  }
  if (from !== undefined) return `updated since ${formatDay(from)}`
  return to === undefined ? null : `updated until ${formatDay(to)}`
}
