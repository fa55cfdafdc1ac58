/** Words of filters: of a chip, and of the sentence "Prospects in New, assigned to me" for titles, screen readers and exports. */
import type { FilterInput, PersonRef } from '@prospect/api-client'
import type { ScoreBands } from '../../../ui/prospects/active-scoring.ts'
import { pipelineStateName } from '../../../ui/prospects/pipeline-words.ts'
import { reviewFilters, reviewStateWords } from '../../../ui/prospects/review-words.ts'
import { bandName } from '../../../ui/prospects/score-words.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { isDay } from '../../../ui/text/day.ts'
import {
  facts,
  type NumberFact,
  nounOf,
  numberFacts,
  type TextFilter,
  textFilterFacts,
  textFilters,
} from '../../../ui/text/facts.ts'
import { dayIn, formatDateTime, formatDay, formatNumber } from '../../../ui/text/format.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import { provinceName } from '../../../ui/text/provinces.ts'
import { endOfDay, startOfDay } from '../../../ui/text/zone-time.ts'
import {
  type FilterCondition,
  type FilterField,
  type FilterValue,
  type FollowUpTerm,
  fields,
  identifierWords,
} from './filter-fields.ts'
import type { eligibilities } from './prospect-search.ts'

/** Names that the words use, and the time zone of the workspace. Without `bands`, a band is shown by its id. */
export type WordContext = { people: readonly PersonRef[]; bands?: ScoreBands; timeZone: string }

/** Words of one condition: a part of the sentence "Prospects …". */
export function conditionWords({ field, op, values }: FilterCondition, context: WordContext): string {
  const { choice, noun = fields[field].name.toLowerCase(), empty = `without ${noun}`, verb = noun } = words[field]
  switch (op) {
    case 'is_empty':
      return empty
    case 'is_not_empty':
      return `with any ${noun.replace(/^an? /, '')}`
    case 'contains': {
      const parts = `containing “${values.map(textOf).join('” or “')}”`
      return field === 'q' ? parts : `with ${noun} ${parts}`
    }
    case 'within_days':
      return `${verb} in the last ${countWords(Number(values[0]), 'day', 'days')}`
    case 'between':
      return fields[field].kind === 'number' ? numberWords(noun, values) : rangeWords(verb, values, context.timeZone)
    default:
      return choice(values, op === 'none_of', context)
  }
}

/** All conditions as one sentence: "Prospects in New, assigned to me". */
export function filterSentence(conditions: FilterInput, context: WordContext): string {
  const parts = conditions.map((condition) => conditionWords(condition, context))
  return parts.length === 0 ? 'All prospects' : `Prospects ${parts.join(', ')}`
}

type Choice = (values: readonly FilterValue[], isNot: boolean, context: WordContext) => string
type Words = {
  choice: Choice
  /** the field in "without …", "with any …" and "with … containing" */
  noun?: string
  empty?: string
  /** the beginning of a range of time */
  verb?: string
}

const textOf = (value: FilterValue): string => nameText(String(value ?? '…'))

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
  (noun: string, nounOf: (value: string) => string = textOf): Choice =>
  (values, isNot) =>
    `${isNot ? 'without' : 'with'} ${noun}${values.map((value) => nounOf(String(value))).join(' or ')}`

const flag =
  (yes: string, no: string): Choice =>
  (values, isNot) => {
    const [first, ...others] = new Set(values.map((value) => (value === true) !== isNot))
    return others.length > 0 ? `${yes} or ${no}` : first === true ? yes : no
  }

const textFilterWords = Object.fromEntries(
  textFilters.map((field): [string, Words] => [field, { choice: nouns(`${nounOf(textFilterFacts[field])} `) }]),
) as Record<TextFilter, Words>

const numberFilterWords = Object.fromEntries(
  numberFacts.map((field): [string, Words] => [field, { choice: phrases(textOf), noun: `a ${nounOf(facts[field])}` }]),
) as Record<NumberFact, Words>

const words: Readonly<Record<FilterField, Words>> = {
  q: { choice: phrases(textOf) },
  state: { choice: phrases((state) => `in ${pipelineStateName(state)}`) },
  assignee: { choice: phrases(assigneeWords), noun: 'an assignee', empty: 'unassigned' },
  tag: { choice: phrases((tag) => `tagged ${nameText(tag)}`), noun: 'a tag' },
  province: {
    choice: phrases((province) => (province === 'other' ? 'in another province' : `in ${provinceName(province)}`)),
    noun: 'a province',
  },
  doNotContact: { choice: flag('marked do not contact', 'not marked do not contact') },
  hasEvidence: { choice: flag('with evidence', 'without evidence') },
  updatedAt: { choice: phrases(textOf), verb: 'updated' },
  createdAt: { choice: phrases(textOf), verb: 'created' },
  priority: { choice: phrases((id, { bands }) => `with priority ${bandWords(bands, id)}`) },
  reachable: { choice: phrases((id, { bands }) => `with possible priority ${bandWords(bands, id)}`) },
  score: { choice: phrases(textOf), noun: 'a score' },
  eligibility: { choice: phrases((one) => eligibilityFilterWords[one] ?? textOf(one)) },
  status: { choice: phrases(() => 'that are inactive') },
  review: { choice: phrases(reviewWords) },
  ...textFilterWords,
  ...numberFilterWords,
  sourceLabel: { choice: nouns('source '), noun: 'source' },
  identifiers: { choice: nouns('', (kind) => (identifierWords[kind] ?? textOf(kind)).toLowerCase()) },
  followUp: {
    choice: phrases((term) => followUpWords[term] ?? textOf(term)),
    noun: 'follow-up',
    verb: 'with a follow-up',
  },
}

const followUpWords: Readonly<Record<string, string>> = {
  overdue: 'with an overdue follow-up',
  today: 'with a follow-up due today',
  this_week: 'with a follow-up due this week',
} satisfies Record<FollowUpTerm, string>

const eligibilityFilterWords: Readonly<Record<string, string>> = {
  eligible: 'that are eligible',
  unknown: 'whose eligibility is unknown',
  ineligible: 'that are ineligible',
  blocked: 'without a score because of do not contact',
} satisfies Record<(typeof eligibilities)[number], string>

function assigneeWords(assignee: string, { people }: WordContext): string {
  if (assignee === 'me') return 'assigned to me'
  const person = people.find(({ id }) => id === assignee)
  return person === undefined ? 'assigned to someone not listed' : `assigned to ${nameText(person.name)}`
}

/** The bands are those of the active version: a filter can name one of an earlier version. */
function bandWords(bands: ScoreBands = [], id: string): string {
  const isGone = bands.length > 0 && id !== 'unknown' && !bands.some((band) => band.id === id)
  return nameText(bandName(bands, id)) + (isGone ? ' (no longer exists)' : '')
}

function reviewWords(review: string): string {
  const known = reviewFilters.find((one) => one === review)
  if (known === undefined) return textOf(review)
  return known === 'due' ? 'due for review' : reviewStateWords[known].toLowerCase()
}

function numberWords(noun: string, [from = null, to = null]: readonly FilterValue[]): string {
  const [least, most] = [from, to].map((one) => (one === null ? '…' : formatNumber(Number(one))))
  if (from !== null && to !== null) return `with ${noun} from ${least} to ${most}`
  return from !== null ? `with ${noun} of at least ${least}` : `with ${noun} of at most ${most}`
}

/** A range of days, or of moments, which are named by their day where the range begins or ends with it. */
function rangeWords(verb: string, [first = null, last = null]: readonly FilterValue[], timeZone: string): string {
  const [from, to] = [momentWords(first, startOfDay, timeZone), momentWords(last, endOfDay, timeZone)]
  if (from !== null && to !== null) return from === to ? `${verb} on ${from}` : `${verb} from ${from} to ${to}`
  return from !== null ? `${verb} since ${from}` : `${verb} until ${to ?? '…'}`
}

function momentWords(at: FilterValue, edgeOf: typeof startOfDay, timeZone: string): string | null {
  if (typeof at !== 'string') return null
  if (isDay(at)) return formatDay(at)
  if (Number.isNaN(Date.parse(at))) return textOf(at)
  const day = dayIn(at, timeZone)
  return edgeOf(day, timeZone) === new Date(at).toISOString() ? formatDay(day) : formatDateTime(at, timeZone)
}
