/** Fields of the filters of prospects. Addresses, chips, the editor of conditions and texts derive from this table. */
import type { FilterInput } from '@prospect/api-client'
import {
  facts,
  type NumberFact,
  numberFacts,
  rangeOf,
  type TextFilter,
  textFilterFacts,
  textFilters,
} from '../../../ui/text/facts.ts'

export type FilterCondition = FilterInput[number]
export type FilterField = FilterCondition['field']
export type Op = FilterCondition['op']
export type FilterValue = string | number | boolean | null

type FieldInfo = {
  name: string
  /** search: parts of texts. choice: known values. flag: true or false. text: typed values. time: a moment of the record. day: a date or a term. number: a range. */
  kind: 'search' | 'choice' | 'flag' | 'text' | 'time' | 'day' | 'number'
  /** operators that the editor of conditions offers; none if it does not edit the field */
  ops: readonly Op[]
  /** the editor adds at most one condition on this field */
  isSingle?: true
  /** the numbers that the field accepts */
  range?: { min: number; max: number }
}

const choice = ['any_of', 'none_of'] as const
const optional = ['any_of', 'none_of', 'is_empty', 'is_not_empty'] as const
const typed = ['any_of', 'none_of', 'contains', 'is_empty', 'is_not_empty'] as const
const range = ['between', 'is_empty', 'is_not_empty'] as const
const time = ['within_days', 'between'] as const

const textFilterInfos = Object.fromEntries(
  textFilters.map((field): [string, FieldInfo] => [
    field,
    { name: textFilterFacts[field].label, kind: 'text', ops: typed },
  ]),
) as Record<TextFilter, FieldInfo>

const numberFilterInfos = Object.fromEntries(
  numberFacts.map((field): [string, FieldInfo] => [
    field,
    { name: facts[field].label, kind: 'number', ops: range, isSingle: true, range: rangeOf(field) },
  ]),
) as Record<NumberFact, FieldInfo>

export const fields: Readonly<Record<FilterField, FieldInfo>> = {
  q: { name: 'Search', kind: 'search', ops: [] },
  state: { name: 'Pipeline state', kind: 'choice', ops: choice },
  assignee: { name: 'Assignee', kind: 'choice', ops: optional },
  tag: { name: 'Tag', kind: 'text', ops: optional },
  province: { name: 'Province', kind: 'choice', ops: optional },
  doNotContact: { name: 'Do not contact', kind: 'flag', ops: [] },
  hasEvidence: { name: 'Evidence', kind: 'flag', ops: [] },
  updatedAt: { name: 'Updated', kind: 'time', ops: time, isSingle: true },
  priority: { name: 'Priority', kind: 'choice', ops: choice },
  reachable: { name: 'Possible priority', kind: 'choice', ops: choice },
  score: { name: 'Score', kind: 'number', ops: [] },
  eligibility: { name: 'Eligibility', kind: 'choice', ops: choice },
  status: { name: 'Inactive', kind: 'choice', ops: [] },
  review: { name: 'Review', kind: 'choice', ops: choice },
  ...textFilterInfos,
  ...numberFilterInfos,
  sourceLabel: { name: 'Source label', kind: 'text', ops: typed },
  identifiers: { name: 'Identifiers', kind: 'choice', ops: choice },
  createdAt: { name: 'Created', kind: 'time', ops: time, isSingle: true },
  followUp: {
    name: 'Follow-up date',
    kind: 'day',
    ops: ['any_of', 'between', 'is_empty', 'is_not_empty'],
    isSingle: true,
  },
}

export const isField = (name: string): name is FilterField => Object.hasOwn(fields, name)

/** Fields without a simple chip, which the menu of filters opens in the editor. */
export const editedFields = [
  ...textFilters,
  ...numberFacts,
  'sourceLabel',
  'identifiers',
  'createdAt',
  'followUp',
] as const

export const followUpTerms = ['overdue', 'today', 'this_week'] as const
export type FollowUpTerm = (typeof followUpTerms)[number]

export const identifierWords: Readonly<Record<string, string>> = {
  email: 'Email',
  phone: 'Phone',
  domain: 'Domain',
  registrationNumber: 'Registration number',
}

export const opWords: Readonly<Record<Op, string>> = {
  any_of: 'is any of',
  none_of: 'is none of',
  contains: 'contains',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  within_days: 'in the last … days',
  between: 'is between',
}

export const needsValues = (op: Op): boolean => op !== 'is_empty' && op !== 'is_not_empty'

/** A condition with another operator. The values stay where they still fit. */
export function withOp({ field, op: old, values }: FilterCondition, op: Op): FilterCondition {
  const isChoice = (one: Op) => one === 'any_of' || one === 'none_of' || one === 'contains'
  const fits = isChoice(old) && isChoice(op)
  const fresh = op === 'between' ? [null, null] : op === 'within_days' ? [7] : []
  return { field, op, values: fits ? values : fresh } as FilterCondition
}

/** True if the server accepts the condition: it has the values that its operator needs. */
export function isComplete({ op, values }: FilterCondition): boolean {
  if (!needsValues(op)) return true
  return op === 'between' ? values.some((value) => value !== null) : values.length > 0
}
