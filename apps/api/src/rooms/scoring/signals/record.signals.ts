import { pipelineStates } from '../../../lib/pipeline-state.ts'
import {
  type FactField,
  facts,
  flagSignals,
  fold,
  isNumberFact,
  nounOf,
  valueSignals,
} from '../../businesses/businesses.pure.ts'
import { provinceCodes } from '../../normalization/normalization.ts'
import { type IdentifierCounts, isStated, placeOf, type ScoringRecord } from '../records/scoring-record.ts'
import { choicesOf, crossingOfAge, daysBetween, fieldKey, labelOf, type Signal } from './signal.ts'

/* Signals of the record itself: its state, facts, tags and identifiers. */

export const pipelineState: Signal = {
  key: 'record.state',
  title: 'Pipeline state',
  type: 'choice',
  choices: pipelineStates.map((value) => ({ value, label: labelOf(value) })),
  datedBy: null,
  read: ({ state }) => state,
}

export const province: Signal = {
  key: 'record.province',
  title: 'Province',
  type: 'choice',
  choices: [...provinceCodes.map((value) => ({ value, label: value })), { value: 'other', label: 'Other' }],
  field: 'address.province',
  datedBy: 'the newest evidence that supports the province',
  read: (record) => record.province ?? undefined,
}

/** Returns the properties that all signals of a fact share, from the table of facts (businesses/record/facts.data.ts). */
const ofFact = (field: FactField) => ({
  key: `record.${fieldKey(field)}`,
  title: facts[field].label,
  field,
  datedBy: `the newest evidence that supports the ${nounOf(field)}`,
})

export const factValues: readonly Signal[] = valueSignals.map(
  (field): Signal => ({
    ...ofFact(field),
    ...(isNumberFact(field) ? { type: 'number' } : { type: 'text', fold }),
    read: (record) => record[field] ?? undefined,
  }),
)

/** Signals: whether the record has a value. */
export const factFlags: readonly Signal[] = flagSignals.map((field): Signal => {
  const place = placeOf(field)
  return { ...ofFact(field), type: 'flag', read: (record) => (isStated(record, place) ? true : undefined) }
})

/** Signal: the tags of the record. A missing tag counts as a known fact, not as missing data, because operators maintain tags. */
export const tags: Signal = {
  key: 'record.tags',
  title: 'Tags',
  type: 'list',
  fold: (value) => value.trim().normalize('NFC').toLowerCase(),
  datedBy: null,
  read: (record) => record.tags,
}

/**
 * Builds a signal that counts the record's emails, phones or domains. Only values with a normalized form count; a record that has only other values
 * is ambiguous.
 */
function counted(key: string, title: string, field: 'email' | 'phone' | 'domain'): Signal {
  const countsOf = (record: ScoringRecord): IdentifierCounts => record[`${field}s`]
  return {
    key,
    title,
    type: 'number',
    field,
    datedBy: `the newest evidence that supports one of them`,
    read: (record) => {
      const { certain, uncertain } = countsOf(record)
      return certain + uncertain === 0 ? undefined : certain
    },
    isAmbiguous: (record) => {
      const { certain, uncertain } = countsOf(record)
      return certain === 0 && uncertain > 0
    },
  }
}

export const emails = counted('record.emails', 'Emails', 'email')
export const phones = counted('record.phones', 'Phones', 'phone')
export const domains = counted('record.domains', 'Web domains', 'domain')

/** Signal: the kind of domain in the record's email addresses, either the business's own domain or only providers of free mail. */
export const mailDomain: Signal = {
  key: 'record.mail_domain',
  title: 'Mail domain',
  type: 'choice',
  choices: choicesOf({ own: 'Own domain', free_mail: 'Free mail' }),
  field: 'email',
  datedBy: 'the newest evidence that supports an email address',
  read: (record) => record.mailDomain ?? undefined,
}

export const assignee: Signal = {
  key: 'record.assignee',
  title: 'Assignee',
  type: 'text',
  fold: (value) => value,
  datedBy: null,
  read: (record) => record.assigneeId ?? 'none',
}

export const recordAge: Signal = {
  key: 'record.age_days',
  title: 'Age of the record in days',
  type: 'number',
  datedBy: null,
  read: ({ createdAt }, now) => daysBetween(createdAt, now),
  changesAt: ({ createdAt }, now, condition) => crossingOfAge(createdAt, now, condition),
}

export const strongDuplicates: Signal = {
  key: 'record.strong_duplicates',
  title: 'Open strong duplicate suggestions',
  type: 'number',
  reads: 'duplicates',
  datedBy: null,
  read: (record) => record.strongDuplicates,
}
