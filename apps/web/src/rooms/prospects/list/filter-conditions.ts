/** Conversion between the filters of an address and the conditions of a saved filter or selection. */
import type { FilterInput } from '@prospect/api-client'
import { withoutUndefined } from '../../../ui/lists/search-params.ts'
import { endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import { type FilterCondition, readConditions, writeConditions } from './further-conditions.ts'
import { edge } from './prospect-query.ts'
import { filtersOf, type ProspectFilters, parseProspectSearch } from './prospect-search.ts'

export function conditionsFrom(filters: ProspectFilters, timeZone: string): FilterInput {
  const { q, assignee, province, doNotContact, hasEvidence, updatedFrom, updatedTo, scoreFrom, scoreTo } = filters
  const found: FilterInput = []
  if (q !== undefined) found.push({ field: 'q', op: 'contains', values: [q] })
  if (filters.state !== undefined) found.push({ field: 'state', op: 'any_of', values: [filters.state] })
  if (assignee !== undefined)
    found.push(
      assignee === 'none'
        ? { field: 'assignee', op: 'is_empty', values: [] }
        : { field: 'assignee', op: 'any_of', values: [assignee] },
    )
  if (province === 'none') found.push({ field: 'province', op: 'is_empty', values: [] })
  else if (province !== undefined)
    found.push(...(readOne({ field: 'province', op: 'any_of', values: [province] }) ?? []))
  if (filters.tag !== undefined) found.push({ field: 'tag', op: 'any_of', values: [filters.tag] })
  if (doNotContact !== undefined) found.push({ field: 'doNotContact', op: 'any_of', values: [doNotContact === 'true'] })
  if (hasEvidence !== undefined) found.push({ field: 'hasEvidence', op: 'any_of', values: [hasEvidence === 'true'] })
  if (updatedFrom !== undefined || updatedTo !== undefined)
    found.push({
      field: 'updatedAt',
      op: 'between',
      values: [
        updatedFrom === undefined ? null : startOfDay(updatedFrom, timeZone),
        updatedTo === undefined ? null : endOfDay(updatedTo, timeZone),
      ],
    })
  else if (filters.updatedWithinDays !== undefined)
    found.push({ field: 'updatedAt', op: 'within_days', values: [Number(filters.updatedWithinDays)] })
  if (filters.review !== undefined) found.push({ field: 'review', op: 'any_of', values: [filters.review] })
  if (filters.priority !== undefined) found.push({ field: 'priority', op: 'any_of', values: [filters.priority] })
  if (filters.reachable !== undefined) found.push({ field: 'reachable', op: 'any_of', values: [filters.reachable] })
  if (filters.eligibility !== undefined)
    found.push({ field: 'eligibility', op: 'any_of', values: [filters.eligibility] })
  if (scoreFrom !== undefined || scoreTo !== undefined)
    found.push({ field: 'score', op: 'between', values: [numberOf(scoreFrom), numberOf(scoreTo)] })
  return [...found, ...furtherOf(filters)]
}

const readOne = (condition: unknown) => readConditions(JSON.stringify([condition]))

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** Conditions of the address that have no search parameter of their own. */
export const furtherOf = ({ conditions }: ProspectFilters): FilterInput =>
  conditions === undefined ? [] : (readConditions(conditions) ?? [])

/** Converts conditions to filters of an address. A condition with one value uses the parameter of its field; the others go to `conditions`. */
export function filtersFromConditions(conditions: FilterInput, timeZone: string): ProspectFilters {
  let filters: ProspectFilters = {}
  const rest: FilterInput = []
  for (const condition of conditions) {
    const part = simpleFilter(condition, timeZone)
    const isFree = part !== null && Object.keys(part).every((key) => !Object.hasOwn(filters, key))
    if (part !== null && isFree) filters = { ...filters, ...part }
    else rest.push(condition)
  }
  return rest.length === 0 ? filters : { ...filters, conditions: writeConditions(rest) }
}

/** Null if the condition has no parameter of its own. */
function simpleFilter({ field, op, values }: FilterCondition, timeZone: string): ProspectFilters | null {
  const parameters = rawFilter(field, op, values, timeZone)
  if (parameters === null) return null
  const read = filtersOf(parseProspectSearch(parameters))
  return Object.keys(parameters).every((key) => Object.hasOwn(read, key)) ? read : null
}

function rawFilter(
  field: FilterCondition['field'],
  op: FilterCondition['op'],
  values: readonly (string | number | boolean | null)[],
  timeZone: string,
): Record<string, unknown> | null {
  const [first, second] = values
  if (op === 'is_empty' && (field === 'assignee' || field === 'province')) return { [field]: 'none' }
  if (op === 'within_days' && field === 'updatedAt') return { updatedWithinDays: first }
  if (op === 'between' && field === 'score')
    return withoutUndefined({ scoreFrom: first ?? undefined, scoreTo: second ?? undefined })
  if (op === 'between' && field === 'updatedAt') {
    const from = edge(first ?? undefined, startOfDay, timeZone)
    const to = edge(second ?? undefined, endOfDay, timeZone)
    // A time that is not the start or end of a day has no parameter.
    if (from.moment !== null || to.moment !== null) return null
    return withoutUndefined({ updatedFrom: from.day, updatedTo: to.day })
  }
  return (op === 'any_of' || op === 'contains') && values.length === 1 ? { [field]: first } : null
}
