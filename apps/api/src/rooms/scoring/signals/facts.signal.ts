import {
  type FactField,
  facts,
  flagSignals,
  fold,
  isNumberFact,
  nounOf,
  valueSignals,
} from '../../businesses/businesses.thread.ts'
import { isStated, placeOf } from '../records/scoring-record.ts'
import { fieldKey, type Signal } from './signal.ts'

/* Signals of the facts themselves, from the table of facts (businesses/record/facts.data.ts). */

const common = (field: FactField) => ({
  key: `record.${fieldKey(field)}`,
  title: facts[field].label,
  field,
  datedBy: `the newest evidence that supports the ${nounOf(field)}`,
})

export const factValues: readonly Signal[] = valueSignals.map(
  (field): Signal => ({
    ...common(field),
    ...(isNumberFact(field) ? { type: 'number' } : { type: 'text', fold }),
    read: (record) => record[field] ?? undefined,
  }),
)

/** Signals: whether the record has a value. */
export const factFlags: readonly Signal[] = flagSignals.map((field): Signal => {
  const place = placeOf(field)
  return { ...common(field), type: 'flag', read: (record) => (isStated(record, place) ? true : undefined) }
})
