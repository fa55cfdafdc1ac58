import { mapValues, objectOf } from '../../../lib/map-values.ts'
import { numeral } from '../../../lib/numeral.ts'
import { type NumberFact, nounOf, numberFacts, textFilters } from '../../businesses/businesses.ts'
import type { Condition, Sort } from '../../prospect-list/prospect-list.ts'

const labels: Record<Condition['field'], string> = {
  status: 'status',
  q: 'text',
  state: 'pipeline state',
  assignee: 'assignee',
  province: 'province',
  tag: 'tag',
  doNotContact: 'do not contact',
  hasEvidence: 'has evidence',
  hasPerson: 'has a person',
  person: 'person',
  updatedAt: 'last change',
  createdAt: 'creation',
  lastInteraction: 'interaction',
  lastOutcome: 'last outcome',
  doubts: 'doubtful value',
  evidenceCount: 'number of observations',
  ...mapValues(textFilters, nounOf),
  ...objectOf<Record<NumberFact, string>>(numberFacts, nounOf),
  sourceLabel: 'source',
  role: 'role of a person',
  identifiers: 'identifier',
  followUp: 'follow-up',
  review: 'review',
  priority: 'priority',
  reachable: 'possible priority',
  eligibility: 'eligibility',
  score: 'score',
}

const numberSortWords = Object.fromEntries(
  numberFacts.flatMap((field) => [
    [field, `lowest ${nounOf(field)} first`],
    [`-${field}`, `highest ${nounOf(field)} first`],
  ]),
) as Record<NumberFact | `-${NumberFact}`, string>

const sortWords: Record<Sort, string> = {
  ...numberSortWords,
  '-updatedAt': 'last changed first',
  updatedAt: 'longest unchanged first',
  name: 'by name',
  '-name': 'by name, Z to A',
  createdAt: 'oldest first',
  '-createdAt': 'newest first',
  score: 'lowest score first',
  '-score': 'best score first',
  state: 'by pipeline state',
  '-state': 'by pipeline state, last state first',
  assignee: 'by assignee',
  '-assignee': 'by assignee, Z to A',
  city: 'by city',
  '-city': 'by city, Z to A',
  lastInteractionAt: 'longest without an interaction first',
  '-lastInteractionAt': 'latest interaction first',
  followUpOn: 'earliest follow-up first',
  '-followUpOn': 'latest follow-up first',
  mayBeCalled: 'prospects with contact hours for calls first, then by priority and follow-up',
}

/** Describes a predicate in one sentence, such as "Active prospects: not marked do not contact; review is due; best score first." */
export function wordsOf(conditions: readonly Condition[], sort: Sort, names: ReadonlyMap<string, string>): string {
  const others = conditions.filter(({ field }) => field !== 'status')
  const all = [...others.map((one) => conditionWords(one, names)), sortWords[sort]]
  return `${others.length < conditions.length ? 'Deactivated' : 'Active'} prospects: ${all.join('; ')}.`
}

const flagWords = {
  doNotContact: ['marked do not contact', 'not marked do not contact'],
  hasEvidence: ['with evidence', 'without evidence'],
} as const

/** Describes a condition on a flag. A condition with both values of the flag has the words of both. */
function wordsOfFlag({ field, op, values }: Extract<Condition, { field: keyof typeof flagWords }>): string {
  const [yes, no] = flagWords[field]
  return values.map((value) => (value === (op === 'any_of') ? yes : no)).join(op === 'any_of' ? ' or ' : ' and ')
}

function conditionWords(condition: Condition, names: ReadonlyMap<string, string>): string {
  if (condition.field === 'doNotContact' || condition.field === 'hasEvidence') return wordsOfFlag(condition)
  const label = labels[condition.field]
  switch (condition.op) {
    case 'is_empty':
      return `no ${label}`
    case 'is_not_empty':
      return `any ${label}`
    case 'contains':
      return `${label} contains “${condition.values.join('” or “')}”`
    case 'within_days':
      return `${label} within ${numeral(Number(condition.values[0]))} days`
    case 'not_within_days':
      return `no ${label} within ${numeral(Number(condition.values[0]))} days`
    case 'between':
    case 'not_between': {
      const [from, to] = condition.values
      const parts = [...(from == null ? [] : [`from ${String(from)}`]), ...(to == null ? [] : [`to ${String(to)}`])]
      return `${condition.op === 'between' ? '' : 'no '}${label} ${parts.join(' ')}`
    }
    case 'any_of':
      return `${label} is ${valuesIn(condition, names).join(' or ')}`
    case 'none_of':
      return `${label} is not ${valuesIn(condition, names).join(' or ')}`
  }
}

function valuesIn({ field, values }: Condition, names: ReadonlyMap<string, string>): string[] {
  return values.map((value) => {
    const text = String(value)
    if (field === 'priority' || field === 'reachable') return names.get(`band:${text}`) ?? text
    if (field === 'assignee') return names.get(text) ?? 'a removed person'
    return text.replaceAll('_', ' ')
  })
}
