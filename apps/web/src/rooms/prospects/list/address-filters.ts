/**
 * Filters of an address as the conditions that lists, bulk actions, exports and saved filters send to the API, and back. Each parameter of an address
 * is the short form of a condition; conditions without a short form are in the parameter `conditions`.
 */
import type { FilterInput } from '@prospect/api-client'
import { withoutUndefined } from '../../../ui/lists/search-params.ts'
import { dayIn } from '../../../ui/text/format.ts'
import { endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import { canonicalText, readConditions, writeConditions } from './condition-text.ts'
import type { FilterCondition, FilterField, FilterValue, Op } from './filter-fields.ts'
import { type FilterKey, filtersOf, type ProspectFilters, parseProspectSearch } from './prospect-search.ts'

type Notation = {
  keys: readonly FilterKey[]
  /** Returns the operator and values of the condition; null if no parameter is set. */
  read: (filters: ProspectFilters, timeZone: string) => [op: Op, values: FilterValue[]] | null
  /** Returns the parameters of a condition; null if they cannot express it. */
  write: (op: Op, values: readonly FilterValue[], timeZone: string) => Record<string, unknown> | null
}

/** A parameter with one value. `none`: the value that stands for an empty field. */
function oneValue(
  key: Exclude<FilterKey, 'conditions'>,
  more: { op?: Op; none?: string; toValue?: (text: string) => FilterValue } = {},
): Notation {
  const { op: own = 'any_of', none, toValue = (text) => text } = more
  return {
    keys: [key],
    read: ({ [key]: text }) => {
      if (text === undefined) return null
      return text === none ? ['is_empty', []] : [own, [toValue(text)]]
    },
    write: (op, values) => {
      if (none !== undefined && op === 'is_empty') return { [key]: none }
      return op === own && values.length === 1 ? { [key]: values[0] } : null
    },
  }
}

const isTrue = (text: string): boolean => text === 'true'
const numberFrom = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** The days of a range, both included, as the moments at which they begin and end. */
const updated: Notation = {
  keys: ['updatedFrom', 'updatedTo'],
  read: ({ updatedFrom: from, updatedTo: to }, timeZone) => {
    if (from === undefined && to === undefined) return null
    return ['between', [from ? startOfDay(from, timeZone) : null, to ? endOfDay(to, timeZone) : null]]
  },
  write: (op, [from, to], timeZone) => {
    if (op !== 'between') return null
    const dayOf = (at: FilterValue | undefined) =>
      typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? dayIn(at, timeZone) : undefined
    return withoutUndefined({ updatedFrom: dayOf(from), updatedTo: dayOf(to) })
  },
}

const updatedWithin: Notation = {
  keys: ['updatedWithinDays'],
  read: ({ updatedWithinDays: days }) => (days === undefined ? null : ['within_days', [Number(days)]]),
  write: (op, [days]) => (op === 'within_days' ? { updatedWithinDays: days } : null),
}

const inactive: Notation = {
  keys: ['inactive'],
  read: ({ inactive: isSet }) => (isSet === undefined ? null : ['any_of', ['inactive']]),
  write: (op) => (op === 'any_of' ? { inactive: 'true' } : null),
}

const score: Notation = {
  keys: ['scoreFrom', 'scoreTo'],
  read: ({ scoreFrom: from, scoreTo: to }) =>
    from === undefined && to === undefined ? null : ['between', [numberFrom(from), numberFrom(to)]],
  write: (op, [from, to]) =>
    op === 'between' ? withoutUndefined({ scoreFrom: from ?? undefined, scoreTo: to ?? undefined }) : null,
}

/** Fields with parameters of their own, in the order of the chips and of the sentence. */
const notations = {
  q: [oneValue('q', { op: 'contains' })],
  state: [oneValue('state')],
  assignee: [oneValue('assignee', { none: 'none' })],
  tag: [oneValue('tag')],
  province: [oneValue('province', { none: 'none' })],
  doNotContact: [oneValue('doNotContact', { toValue: isTrue })],
  hasEvidence: [oneValue('hasEvidence', { toValue: isTrue })],
  updatedAt: [updated, updatedWithin],
  priority: [oneValue('priority')],
  reachable: [oneValue('reachable')],
  score: [score],
  eligibility: [oneValue('eligibility')],
  status: [inactive],
  review: [oneValue('review')],
} satisfies Partial<Record<FilterField, readonly Notation[]>>

type ShortField = keyof typeof notations
const shortFields = Object.keys(notations) as ShortField[]
const notationsOf = (field: FilterField): readonly Notation[] => (isShort(field) ? notations[field] : [])
const isShort = (field: FilterField): field is ShortField => Object.hasOwn(notations, field)

/** Fields with a chip of one value. The search text has its own input. */
export type ChipField = Exclude<ShortField, 'q'>
export const chipFields = shortFields.filter((field): field is ChipField => field !== 'q')

/** Parameters of a field. */
export const keysOf = (field: FilterField): FilterKey[] => notationsOf(field).flatMap(({ keys }) => keys)

export const hasFilter = (filters: ProspectFilters, field: ChipField): boolean =>
  keysOf(field).some((key) => filters[key] !== undefined)

/** Patch that clears the filter of a chip, with all its parameters. */
export const clearedField = (field: ChipField): Partial<Record<FilterKey, undefined>> =>
  Object.fromEntries(keysOf(field).map((key) => [key, undefined]))

/** Returns the conditions of the filters: those of the parameters, then those of `conditions`. */
export function conditionsFrom(filters: ProspectFilters, timeZone: string): FilterInput {
  return [...shortFields.flatMap((field) => conditionsOf(field, filters, timeZone)), ...furtherOf(filters)]
}

/** Returns the conditions of the parameters of one field. */
export function conditionsOf(field: FilterField, filters: ProspectFilters, timeZone: string): FilterInput {
  return notationsOf(field).flatMap(({ read }) => {
    const found = read(filters, timeZone)
    if (found === null) return []
    const [op, values] = found
    return readConditions(JSON.stringify([{ field, op, values }])) ?? []
  })
}

/** Conditions of the address that have no parameter of their own. */
export const furtherOf = ({ conditions }: ProspectFilters): FilterInput =>
  conditions === undefined ? [] : (readConditions(conditions) ?? [])

/** Returns the filters of an address for these conditions. A condition that its parameters do not express exactly is in `conditions`. */
export function filtersFromConditions(conditions: FilterInput, timeZone: string): ProspectFilters {
  let filters: ProspectFilters = {}
  const rest: FilterInput = []
  for (const condition of conditions) {
    const short = shortForm(condition, timeZone)
    const isFree = short !== null && Object.keys(short).every((key) => !Object.hasOwn(filters, key))
    if (short !== null && isFree) filters = { ...filters, ...short }
    else rest.push(condition)
  }
  return rest.length === 0 ? filters : { ...filters, conditions: writeConditions(rest) }
}

function shortForm(condition: FilterCondition, timeZone: string): ProspectFilters | null {
  const { field, op, values } = condition
  for (const { write } of notationsOf(field)) {
    const parameters = write(op, values, timeZone)
    const filters = parameters === null ? {} : filtersOf(parseProspectSearch(parameters))
    if (canonicalText(conditionsFrom(filters, timeZone)) === canonicalText([condition])) return filters
  }
  return null
}
