/**
 * Search parameters of the prospects list: filters, sort and view. Invalid values are dropped, and defaults are not written.
 *
 * Filters are a list of conditions. An address writes a condition with one value by a parameter of its field (`state=new`), and some others by a short
 * notation below. `conditions` contains the rest.
 */
import type { FilterInput } from '@prospect/api-client'
import { idFrom, oneOf, withoutUndefined } from '../../../ui/lists/search-params.ts'
import type { ProspectListQuery } from '../../../ui/prospects/list-keys.ts'
import { isDay } from '../../../ui/text/day.ts'
import { numberFacts } from '../../../ui/text/facts.ts'
import { dayIn } from '../../../ui/text/format.ts'
import { endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import { canonicalText, readConditions, writeConditions } from './condition-text.ts'
import {
  conditionOf,
  type FilterCondition,
  type FilterField,
  type FilterValue,
  fieldNames,
  fields,
  grouped,
  inOrder,
} from './filter-fields.ts'

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
  'mayBeCalled',
  ...numberFacts.flatMap((field) => [field, `-${field}`] as const),
] as const
export const defaultSort: ProspectSort = '-updatedAt'
export type ProspectSort = (typeof prospectSorts)[number]

/** Limits of the API. */
const MAX_WITHIN_DAYS = 3_650
const MAX_FILTER_LENGTH = 4_096
const MAX_VALUE_LENGTH = 200

/** Reads the text of a parameter; undefined if it is invalid. */
type Read = (text: string, timeZone: string) => FilterCondition | undefined

const isWhole = (text: string, min: number, max: number) =>
  /^\d+$/.test(text) && String(Number(text)) === text && Number(text) >= min && Number(text) <= max
const score = (text: string) => (isWhole(text, 0, 100) ? Number(text) : undefined)

/** One end of a range. Both ends become one condition. */
const rangeEnd =
  (field: FilterField, at: 0 | 1, read: (text: string, timeZone: string) => string | number | undefined): Read =>
  (text, timeZone) => {
    const value = read(text, timeZone)
    return value === undefined ? undefined : conditionOf(field, 'between', at === 0 ? [value, null] : [null, value])
  }

const shorts = {
  /** Calendar days in the workspace's zone, both included: 2026-11-21. */
  updatedFrom: rangeEnd('updatedAt', 0, (text, zone) => (isDay(text) ? startOfDay(text, zone) : undefined)),
  updatedTo: rangeEnd('updatedAt', 1, (text, zone) => (isDay(text) ? endOfDay(text, zone) : undefined)),
  /** Number of days before today. */
  updatedWithinDays: (text) =>
    isWhole(text, 1, MAX_WITHIN_DAYS) ? conditionOf('updatedAt', 'within_days', [Number(text)]) : undefined,
  scoreFrom: rangeEnd('score', 0, score),
  scoreTo: rangeEnd('score', 1, score),
  /** Deactivated records instead of active ones. */
  inactive: (text) => (text === 'true' ? conditionOf('status', 'any_of', ['inactive']) : undefined),
} satisfies Record<string, Read>
type Short = keyof typeof shorts

/** Texts of the short parameters that could express a condition. `shortForm` checks that they do. */
function shortTexts({ field, op, values }: FilterCondition, timeZone: string): Partial<Record<FilterKey, unknown>> {
  const [first, last] = values
  const dayOf = (at: unknown) =>
    typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? dayIn(at, timeZone) : undefined
  if (field === 'updatedAt')
    return op === 'between' ? { updatedFrom: dayOf(first), updatedTo: dayOf(last) } : { updatedWithinDays: first }
  if (field === 'score') return { scoreFrom: first ?? undefined, scoreTo: last ?? undefined }
  return field === 'status' ? { inactive: 'true' } : { [field]: textOfValue(field, op, values) }
}

/** Text of the parameter that is named after the field. */
function textOfValue(
  field: FilterField,
  op: FilterCondition['op'],
  values: readonly FilterValue[],
): string | undefined {
  if (op === 'is_empty') return fields[field].none === undefined ? undefined : 'none'
  const [only, ...others] = grouped(field, values)
  return only === undefined || others.length > 0 ? undefined : String(only)
}

function readValue(field: FilterField, text: string): FilterCondition | undefined {
  const { kind, ops, none, groups = [], read = (value: string) => value } = fields[field]
  if (kind === 'search') return conditionOf(field, 'contains', [text])
  if (none !== undefined && text.toLowerCase() === 'none') return conditionOf(field, 'is_empty', [])
  if (!ops.includes('any_of')) return undefined
  const group = groups.find(({ value }) => value === text)
  const value = read(text)
  if (group !== undefined) return conditionOf(field, 'any_of', group.values)
  return value === undefined ? undefined : conditionOf(field, 'any_of', [kind === 'flag' ? value === 'true' : value])
}

/** Parameters of filters: one of each field, the short ones, and `conditions`. */
export type FilterKey = FilterField | Short | 'conditions'
const isShort = (key: FilterKey): key is Short => Object.hasOwn(shorts, key)
const filterKeys: readonly FilterKey[] = [...fieldNames, ...(Object.keys(shorts) as Short[]), 'conditions']

export type ProspectFilters = { [Key in FilterKey]?: string }
export type ProspectSearch = ProspectFilters & {
  /** Id of the open saved filter; 'none' for the list without the default filter. */
  saved?: string
  sort?: ProspectSort
  view?: 'board'
  /** Tab of the record beside the list. */
  tab?: string
}
/** Parameters to change; undefined removes one. */
export type SearchPatch = { [Key in keyof ProspectSearch]?: ProspectSearch[Key] | undefined }

export function parseProspectSearch(search: Record<string, unknown>): ProspectSearch {
  const sort = oneOf(prospectSorts, search.sort)
  const tab = text(search.tab, 32)
  return withoutUndefined<SearchPatch>({
    ...Object.fromEntries(filterKeys.map((key) => [key, cleaned(key, search[key])])),
    saved: idFrom(search.saved),
    sort: sort === defaultSort ? undefined : sort,
    view: oneOf(['board'], search.view),
    tab,
  }) as ProspectSearch
}

/** Normal form of a parameter of filters; undefined if it is invalid. */
function cleaned(key: FilterKey, value: unknown): string | undefined {
  if (key === 'conditions') {
    // The spaces at the end can belong to the last value, and a part of the text would be another filter.
    const found = typeof value === 'string' && value.length <= MAX_FILTER_LENGTH && readConditions(value.trimStart())
    return found && found.length > 0 ? writeConditions(found) : undefined
  }
  const read = text(value, MAX_VALUE_LENGTH)
  const condition = read === undefined ? undefined : readParameter(key, read, 'UTC')
  if (condition === undefined || isShort(key)) return condition && read
  return textOfValue(condition.field, condition.op, condition.values)
}

const readParameter = (key: Exclude<FilterKey, 'conditions'>, value: string, timeZone: string) =>
  isShort(key) ? (shorts[key] as Read)(value, timeZone) : readValue(key, value)

/** Stored filters contain numbers and booleans, as in the API. A longer text is no value: a part of it would be another filter. */
function text(value: unknown, maxLength: number): string | undefined {
  const trimmed = ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : ''
  return trimmed === '' || trimmed.length > maxLength ? undefined : trimmed
}

/** Filters of an address that could not be parsed, as written, so that the screen can report that they have no effect. */
export function unreadFilters(search: Record<string, unknown>): string[] {
  const read = parseProspectSearch(search)
  return filterKeys.flatMap((key) => {
    const value = search[key]
    // A key that occurs twice in the address has a list.
    const texts = [value].flat().filter((one) => typeof one === 'string')
    const written = texts.join(',').trim().slice(0, 64)
    return written === '' || read[key] !== undefined ? [] : [`${key}=${written}`]
  })
}

/** Patch that clears all filters. */
export const noFilters: SearchPatch = Object.fromEntries([...filterKeys, 'saved'].map((key) => [key, undefined]))

export const isFiltered = (search: ProspectSearch): boolean => filterKeys.some((key) => search[key] !== undefined)

/** Returns the conditions of an address, in the order of the table. Lists, boards, bulk actions, exports and saved filters get these. */
export function conditionsOf(search: ProspectFilters, timeZone: string): FilterInput {
  const { conditions: further = '', ...others } = search
  const short = filterKeys.flatMap((key) => {
    const written = key === 'conditions' ? undefined : others[key]
    const found = written === undefined || key === 'conditions' ? undefined : readParameter(key, written, timeZone)
    return found ?? []
  })
  return inOrder([...joined(short), ...(readConditions(further) ?? [])])
}

/** Joins the two ends of a range. */
function joined(conditions: readonly FilterCondition[]): FilterCondition[] {
  return conditions.flatMap((condition, index) => {
    const isEnd = (one: FilterCondition) => one.field === condition.field && one.op === 'between'
    if (condition.op !== 'between') return condition
    const [other] = conditions.slice(index + 1).filter(isEnd)
    if (conditions.slice(0, index).some(isEnd)) return []
    if (other === undefined) return condition
    return conditionOf(condition.field, 'between', [condition.values[0] ?? null, other.values[1] ?? null])
  })
}

/** Fields that the board ignores: it shows the active prospects in every state. */
export const isUsed = ({ field }: { field: FilterField }, { view }: ProspectSearch): boolean =>
  view !== 'board' || (field !== 'state' && field !== 'status')

/** Conditions that the view applies. */
export const shownConditions = (search: ProspectSearch, timeZone: string): FilterInput =>
  conditionsOf(search, timeZone).filter((one) => isUsed(one, search))

/** Returns the parameters of these conditions, which replace all others. What the short notations do not express exactly is in `conditions`. */
export function filterPatch(conditions: FilterInput, timeZone: string): SearchPatch {
  let filters: ProspectFilters = {}
  const rest: FilterInput = []
  const written = new Set<FilterField>()
  for (const condition of conditions) {
    // The first condition on a field has the short form: the ends of two ranges would become one range.
    const short = written.has(condition.field) ? null : shortForm(condition, timeZone)
    if (short === null) rest.push(condition)
    else filters = { ...filters, ...short }
    if (short !== null) written.add(condition.field)
  }
  const { saved: _, ...none } = noFilters
  return { ...none, ...filters, ...(rest.length > 0 && { conditions: writeConditions(rest) }) }
}

function shortForm(condition: FilterCondition, timeZone: string): ProspectFilters | null {
  const {
    sort: _sort,
    view: _view,
    tab: _tab,
    saved: _saved,
    ...filters
  } = parseProspectSearch(shortTexts(condition, timeZone))
  return canonicalText(conditionsOf(filters, timeZone)) === canonicalText([condition]) ? filters : null
}

/** Query of the API for a list of prospects. */
export function queryOf(conditions: FilterInput, sort: ProspectSort = defaultSort): ProspectListQuery {
  return { ...(conditions.length > 0 && { conditions: JSON.stringify(conditions) }), sort }
}
