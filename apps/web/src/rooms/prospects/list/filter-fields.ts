/**
 * Fields of the filters of prospects. Addresses, the menu of filters, chips, their editor and their words derive from this table. A new field needs
 * one entry.
 */
import type { FilterInput, PersonRef } from '@prospect/api-client'
import type { ScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { openStates, pipelineOrder, pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { reviewFilters, reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { bandName, eligibilityWords } from '../../../ui/prospects/score-words.ts'
import { countWords, type Nouns } from '../../../ui/text/count-words.ts'
import {
  facts,
  type NumberFact,
  nounOf,
  numberFacts,
  rangeOf,
  type TextFilter,
  textFilterFacts,
  textFilters,
} from '../../../ui/text/facts.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { outcomeName, outcomes } from '../../../ui/text/outcome-words.ts'
import { provinceCodeOf, provinceName, provinces } from '../../../ui/text/provinces.ts'

export type FilterCondition = FilterInput[number]
export type FilterField = FilterCondition['field']
export type Op = FilterCondition['op']
export type FilterValue = string | number | boolean | null

/** Names that the words use, and the time zone of the workspace. Without `bands`, a band is shown by its id. */
export type WordContext = { people: readonly PersonRef[]; bands?: ScoreBands; timeZone: string }
/** Values to choose from: `states` of the pipeline that are in use, and the person who chooses. */
export type OptionContext = WordContext & { states: readonly string[]; userId: string }
export type Option = { value: string; label: string }

type Choice = (values: readonly FilterValue[], isNot: boolean, context: WordContext) => string

export type FieldInfo = {
  name: string
  /** search: parts of texts. choice: known values. flag: true or false. text: typed values. time: a moment of the record. day: a date or a term. number: a range. */
  kind: 'search' | 'choice' | 'flag' | 'text' | 'time' | 'day' | 'number'
  /** operators, the first of which the editor begins with */
  ops: readonly Op[]
  /** at most one condition is added on this field */
  isSingle?: true
  /** the numbers that the field accepts */
  range?: { min: number; max: number }
  /** usual conditions, which one click chooses */
  presets?: () => Preset[]
  /** known values */
  options?: (context: OptionContext) => Option[]
  /** several values under one name, by which an address shows them */
  groups?: readonly { value: string; label: string; values: readonly string[] }[]
  /** name of the empty field among the options; an address shows it as `none` */
  none?: string
  /** reads one value of an address; undefined if the text is no such value */
  read?: (text: string) => string | undefined
  /** words of values */
  choice?: Choice
  /** the field in "without …", "with any …" and "with … containing" */
  noun?: string
  empty?: string
  present?: string
  /** the beginning of a range of time */
  verb?: string
  /** the things that a number counts */
  counted?: Nouns
}
export type Preset = { label: string; op: Op; values: readonly FilterValue[] }

const choice = ['any_of', 'none_of'] as const
const optional = ['any_of', 'none_of', 'is_empty', 'is_not_empty'] as const
const typed = ['any_of', 'none_of', 'contains', 'is_empty', 'is_not_empty'] as const
/** The operators of `typed`, beginning with the usual one for a text of several words. */
const roleOps = ['contains', 'any_of', 'none_of', 'is_empty', 'is_not_empty'] as const
const range = ['between', 'is_empty', 'is_not_empty'] as const
const time = ['within_days', 'between'] as const

const atLeast = (from: number): Preset => ({
  label: `At least ${formatNumber(from)}`,
  op: 'between',
  values: [from, null],
})
const atMost = (to: number): Preset => ({ label: `At most ${formatNumber(to)}`, op: 'between', values: [null, to] })
const daysWithout = (days: number): Preset => ({
  label: `Not in the last ${countWords(days, 'day', 'days')}`,
  op: 'not_within_days',
  values: [days],
})

export const textOf = (value: FilterValue): string => nameText(String(value ?? '…'))

/** Choice whose values are phrases: "in New or in Won", "not in New", "except those that are eligible". */
const phrases =
  (phraseOf: (value: string, context: WordContext) => string): Choice =>
  (values, isNot, context) => {
    const parts = values.map((value) => phraseOf(String(value), context)).join(' or ')
    if (!isNot) return parts
    return /^(that|whose) /.test(parts) ? `except those ${parts}` : `not ${parts}`
  }

/** Choice whose values are nouns: "with city Paarl", "without email or phone". */
const nouns =
  (noun: string, nounOfValue: (value: string) => string = textOf): Choice =>
  (values, isNot) =>
    `${isNot ? 'without' : 'with'} ${noun}${values.map((value) => nounOfValue(String(value))).join(' or ')}`

/** True or false, with their words and the labels of the two options. */
function flag(name: string, [yes, no]: [string, string], [yesLabel, noLabel]: [string, string]): FieldInfo {
  return {
    ...{ name, kind: 'flag', ops: ['any_of'], isSingle: true, read: oneOfThem(['true', 'false']) },
    options: () => [
      { value: 'true', label: yesLabel },
      { value: 'false', label: noLabel },
    ],
    choice: (values, isNot) => {
      const [first, ...others] = new Set(values.map((value) => (value === true) !== isNot))
      return others.length > 0 ? `${yes} or ${no}` : first === true ? yes : no
    },
  }
}

/** A choice of values that are known here, by their labels. */
const known = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string) => ({
  options: () => values.map((value) => ({ value, label: labelOf(value) })),
  read: oneOfThem(values),
})

function oneOfThem(values: readonly string[]): (text: string) => string | undefined {
  return (text) => values.find((value) => value === text)
}

const wordsIn = (labels: Readonly<Record<string, string>>) => phrases((value) => labels[value] ?? textOf(value))

const idOfBand = (text: string) => (/^[\w-]{1,40}$/.test(text) ? text : undefined)
const bandOptions = ({ bands = [] }: WordContext): Option[] =>
  bands.map(({ id, name }) => ({ value: id, label: nameText(name) }))

/** The bands are those of the active version: a filter can name one of an earlier version. */
function bandWords(bands: ScoreBands = [], id: string): string {
  const isGone = bands.length > 0 && id !== 'unknown' && !bands.some((band) => band.id === id)
  return nameText(bandName(bands, id)) + (isGone ? ' (no longer exists)' : '')
}

function assigneeWords(assignee: string, { people }: WordContext): string {
  if (assignee === 'me') return 'assigned to me'
  const person = people.find(({ id }) => id === assignee)
  return person === undefined ? 'assigned to someone not listed' : `assigned to ${nameText(person.name)}`
}

export const followUpTerms = ['overdue', 'today', 'this_week', 'next_week'] as const
export type FollowUpTerm = (typeof followUpTerms)[number]
const followUpLabels: Record<FollowUpTerm, string> = {
  overdue: 'Overdue',
  today: 'Due today',
  this_week: 'Due this week',
  next_week: 'Due next week',
}

export const eligibilities = ['eligible', 'unknown', 'ineligible', 'blocked'] as const
const identifiers = ['email', 'phone', 'domain', 'registrationNumber'] as const
const identifierLabels: Readonly<Record<string, string>> = {
  email: 'Email',
  phone: 'Phone',
  domain: 'Domain',
  registrationNumber: 'Registration number',
} satisfies Record<(typeof identifiers)[number], string>
const doubts = ['place', 'phone'] as const
const doubtLabels: Readonly<Record<string, string>> = {
  place: 'Place',
  phone: 'Phone',
} satisfies Record<(typeof doubts)[number], string>

const textFields = Object.fromEntries(
  textFilters.map((field): [TextFilter, FieldInfo] => {
    const fact = textFilterFacts[field]
    return [field, { name: fact.label, kind: 'text', ops: typed, choice: nouns(`${nounOf(fact)} `) }]
  }),
) as Record<TextFilter, FieldInfo>

const numberFields = Object.fromEntries(
  numberFacts.map((field): [NumberFact, FieldInfo] => [
    field,
    {
      ...{ name: facts[field].label, kind: 'number', ops: range, isSingle: true },
      ...{ range: rangeOf(field), noun: `a ${nounOf(facts[field])}` },
    },
  ]),
) as Record<NumberFact, FieldInfo>

export const fields: Readonly<Record<FilterField, FieldInfo>> = {
  q: { name: 'Search', kind: 'search', ops: ['contains'], isSingle: true },
  state: {
    ...{ name: 'Pipeline state', kind: 'choice', ops: choice, isSingle: true, read: oneOfThem(pipelineOrder) },
    options: ({ states }) => states.map((state) => ({ value: state, label: pipelineStateName(state) })),
    groups: [{ value: 'open', label: 'Open', values: openStates }],
    choice: phrases((state) => (state === 'open' ? 'that are open' : `in ${pipelineStateName(state)}`)),
  },
  assignee: {
    ...{ name: 'Assignee', kind: 'choice', ops: optional, isSingle: true, none: 'Unassigned' },
    ...{ noun: 'an assignee', empty: 'unassigned', choice: phrases(assigneeWords) },
    options: ({ people, userId }) => [
      { value: 'me', label: 'Me' },
      ...people.filter(({ id }) => id !== userId).map(({ id, name }) => ({ value: id, label: nameText(name) })),
    ],
    read: (text) => (text.length <= 64 ? text : undefined),
  },
  tag: {
    ...{ name: 'Tag', kind: 'choice', ops: optional, noun: 'a tag' },
    read: (text) => (text.length <= 100 ? text : undefined),
    choice: phrases((tag) => `tagged ${nameText(tag)}`),
  },
  province: {
    ...{ name: 'Province', kind: 'choice', ops: optional, isSingle: true, none: 'No province', noun: 'a province' },
    options: () => [
      ...provinces.map(({ code, name }) => ({ value: code, label: name })),
      { value: 'other', label: 'Another province' },
    ],
    read: (text) => (text.toLowerCase() === 'other' ? 'other' : provinceCodeOf(text)),
    choice: phrases((code) => (code === 'other' ? 'in another province' : `in ${provinceName(code)}`)),
  },
  doNotContact: flag(
    'Do not contact',
    ['marked do not contact', 'not marked do not contact'],
    ['Marked do not contact', 'Not marked'],
  ),
  hasEvidence: flag('Evidence', ['with evidence', 'without evidence'], ['With evidence', 'Without evidence']),
  evidenceCount: {
    ...{ name: 'Observations', kind: 'number', ops: ['between'], isSingle: true, range: { min: 0, max: 1_000_000 } },
    ...{ counted: { one: 'observation', many: 'observations' }, presets: () => [atLeast(2), atLeast(5)] },
  },
  hasPerson: flag('Has a person', ['with a person', 'without a person'], ['With a person', 'Without a person']),
  person: { name: 'Person', kind: 'text', ops: ['contains'], isSingle: true, noun: 'a person’s name' },
  role: { name: 'Role of a person', kind: 'text', ops: roleOps, noun: 'a role', choice: nouns('role ') },
  updatedAt: { name: 'Updated', kind: 'time', ops: time, isSingle: true, verb: 'updated' },
  priority: {
    ...{ name: 'Priority', kind: 'choice', ops: choice, isSingle: true, read: idOfBand },
    options: (context) => [...bandOptions(context), { value: 'unknown', label: 'Unknown' }],
    choice: phrases((id, { bands }) => `with priority ${bandWords(bands, id)}`),
  },
  reachable: {
    ...{ name: 'Possible priority', kind: 'choice', ops: choice, isSingle: true, read: idOfBand },
    options: bandOptions,
    choice: phrases((id, { bands }) => `with possible priority ${bandWords(bands, id)}`),
  },
  score: {
    ...{ name: 'Score', kind: 'number', ops: ['between'], isSingle: true, noun: 'a score' },
    range: { min: 0, max: 100 },
    presets: () => [atLeast(80), atLeast(60), atLeast(40), atMost(39)],
  },
  eligibility: {
    ...{ name: 'Eligibility', kind: 'choice', ops: choice, isSingle: true },
    ...known(eligibilities, (value) => eligibilityWords[value]),
    choice: wordsIn({
      eligible: 'that are eligible',
      unknown: 'whose eligibility is unknown',
      ineligible: 'that are ineligible',
      blocked: 'without a score because of do not contact',
    } satisfies Record<(typeof eligibilities)[number], string>),
  },
  status: {
    ...{ name: 'Inactive', kind: 'choice', ops: ['any_of'], isSingle: true },
    ...known(['inactive'], () => 'Deactivated records'),
    choice: phrases(() => 'that are inactive'),
  },
  review: {
    ...{ name: 'Review', kind: 'choice', ops: choice, isSingle: true },
    ...known(reviewFilters, (value) => reviewStateWords[value]),
    choice: wordsIn(
      Object.fromEntries(
        reviewFilters.map((one) => [one, one === 'due' ? 'due for review' : reviewStateWords[one].toLowerCase()]),
      ),
    ),
  },
  ...textFields,
  ...numberFields,
  sourceLabel: { name: 'Source label', kind: 'text', ops: typed, noun: 'source', choice: nouns('source ') },
  identifiers: {
    ...{ name: 'Identifiers', kind: 'choice', ops: choice },
    ...known(identifiers, (kind) => identifierLabels[kind] ?? kind),
    choice: nouns('', (kind) => (identifierLabels[kind] ?? textOf(kind)).toLowerCase()),
  },
  lastInteraction: {
    ...{ name: 'Last contact', kind: 'time', isSingle: true, verb: 'contacted' },
    ops: ['not_within_days', 'within_days', 'between', 'is_empty', 'is_not_empty'],
    ...{ empty: 'never contacted', present: 'contacted at least once' },
    presets: () => [daysWithout(7), daysWithout(30), daysWithout(90), { label: 'Never', op: 'is_empty', values: [] }],
  },
  lastOutcome: {
    ...{ name: 'Last outcome', kind: 'choice', ops: optional, isSingle: true, none: 'Never contacted' },
    ...{ empty: 'never contacted', present: 'contacted at least once' },
    ...known(outcomes, outcomeName),
    choice: (values, isNot) => `whose last outcome is ${isNot ? 'not ' : ''}${values.map(outcomeName).join(' or ')}`,
  },
  doubts: {
    ...{ name: 'Doubtful values', kind: 'choice', ops: choice, isSingle: true },
    ...known(doubts, (kind) => doubtLabels[kind] ?? kind),
    choice: nouns('doubtful ', (kind) => (doubtLabels[kind] ?? textOf(kind)).toLowerCase()),
  },
  createdAt: { name: 'Created', kind: 'time', ops: time, isSingle: true, verb: 'created' },
  followUp: {
    ...{ name: 'Follow-up date', kind: 'day', isSingle: true, noun: 'follow-up', verb: 'with a follow-up' },
    ops: ['any_of', 'between', 'is_empty', 'is_not_empty'],
    ...known(followUpTerms, (term) => followUpLabels[term]),
    choice: wordsIn({
      overdue: 'with an overdue follow-up',
      today: 'with a follow-up due today',
      this_week: 'with a follow-up due this week',
      next_week: 'with a follow-up due next week',
    } satisfies Record<FollowUpTerm, string>),
  },
}

export const fieldNames = Object.keys(fields) as FilterField[]
export const isField = (name: string): name is FilterField => Object.hasOwn(fields, name)

export const opWords: Readonly<Record<Op, string>> = {
  any_of: 'is any of',
  none_of: 'is none of',
  contains: 'contains',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  within_days: 'in the last … days',
  not_within_days: 'not in the last … days',
  between: 'is between',
  not_between: 'is not between',
}

/** The API's type ties values to fields; the table does so here. */
export const conditionOf = (field: FilterField, op: Op, values: readonly FilterValue[]): FilterCondition =>
  ({ field, op, values }) as FilterCondition

/** Sorts conditions by the table, so that a chip keeps its place when its notation in the address changes. */
export const inOrder = (conditions: readonly FilterCondition[]): FilterInput =>
  conditions.toSorted((one, other) => fieldNames.indexOf(one.field) - fieldNames.indexOf(other.field))

export const isRange = (op: string): boolean => op === 'between' || op === 'not_between'
export const isDays = (op: string): boolean => op === 'within_days' || op === 'not_within_days'
export const needsValues = (op: Op): boolean => op !== 'is_empty' && op !== 'is_not_empty'

/** A condition with another operator. The values stay where they still fit. */
export function withOp({ field, op: old, values }: FilterCondition, op: Op): FilterCondition {
  const isChoice = (one: Op) => one === 'any_of' || one === 'none_of' || one === 'contains'
  return conditionOf(field, op, isChoice(old) && isChoice(op) ? values : [])
}

/** True if the server accepts the condition: it has the values that its operator needs. */
export function isComplete({ op, values }: FilterCondition): boolean {
  if (!needsValues(op)) return true
  return isRange(op) ? values.some((value) => value !== null) : values.length > 0
}

/** Returns the names of the groups whose values are all chosen, and the values of no such group. */
export function grouped(field: FilterField, values: readonly FilterValue[]): FilterValue[] {
  const whole = (fields[field].groups ?? []).filter((group) => group.values.every((value) => values.includes(value)))
  const inGroup = (value: FilterValue) => whole.some((group) => group.values.some((one) => one === value))
  return [...whole.map(({ value }) => value), ...values.filter((value) => !inGroup(value))]
}
