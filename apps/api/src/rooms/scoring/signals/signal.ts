import { DAY_MS } from '../../../lib/clock.ts'
import type { FactField } from '../../businesses/businesses.pure.ts'
import type { ScoringRecord } from '../records/scoring-record.ts'
import type { Condition, Operator } from '../rules/content.ts'

export type SignalType = 'choice' | 'text' | 'list' | 'number' | 'flag'

export const operatorsOf: Readonly<Record<SignalType, readonly Operator[]>> = {
  choice: ['is', 'one_of', 'none_of'],
  text: ['is', 'one_of', 'none_of'],
  list: ['has_any', 'none_of'],
  number: ['at_least', 'at_most'],
  flag: ['is_true'],
}

export type Reading = string | number | boolean | readonly string[]

export type Choice = { value: string; label: string }

/**
 * One property of a record that rules can use. Signals are declared in files `<subject>.signals.ts` and listed in `all-signals.ts`. The result of
 * `read` must depend only on the record and the time.
 */
export type Signal = {
  key: string
  /** label, for example 'Phones' */
  title: string
  type: SignalType
  /** the only values, if the signal has a closed vocabulary */
  choices?: readonly Choice[]
  /** for a list or text: the form in which values are compared */
  fold?: (value: string) => string
  /** the fact field whose evidence supports, contradicts and dates the value */
  field?: FactField
  /** related rows that the signal reads, besides the evidence of `field` */
  reads?: 'evidence' | 'interactions' | 'duplicates'
  /** name of the date from which the age of the value is measured; null if the value has no age */
  datedBy: string | null
  /** returns the value; undefined if the record states none */
  read(record: ScoringRecord, now: number): Reading | undefined
  /** true if the signal measures the evidence itself; a contradiction is then a value, not a reason for doubt */
  measuresEvidence?: true
  /** returns true if a value exists but its meaning is uncertain */
  isAmbiguous?(record: ScoringRecord): boolean
  /** returns true if the record has more rows than the read limit */
  isPartial?(record: ScoringRecord): boolean
  /** returns the time when the value was last true, for values without evidence of `field` */
  datedAt?(record: ScoringRecord): number | null
  /** returns the first time after `now` at which the condition's decision can change without an edit */
  changesAt?(record: ScoringRecord, now: number, condition: Condition): number | null
}

export const choicesOf = (labels: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Converts a code to a label: 'no_answer' → 'No answer' */
export function labelOf(word: string): string {
  const spaced = word.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Returns the number of whole days from `then` to `now`; 0 for a future time. */
export function daysBetween(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / DAY_MS))
}

/** Returns the time at which an age in days crosses the condition's limit. */
export function crossingOfAge(since: number, now: number, { op, value }: Condition): number | null {
  if (typeof value !== 'number') return null
  const crossing = since + (op === 'at_least' ? value : value + 1) * DAY_MS
  return crossing > now ? crossing : null
}

/** Converts the name of a fact field to its part of signal keys: 'address.postalCode' → 'postal_code' */
export function fieldKey(field: FactField): string {
  return field.replace('address.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
