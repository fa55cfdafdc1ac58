import { factFields, facts } from '../../businesses/businesses.thread.ts'
import { placeOf } from '../records/scoring-record.ts'
import { crossingOfAge, daysBetween, fieldKey, type Signal } from './signal.ts'

/** Signals, one per field: days since the newest evidence that supports the field's value. */
export const evidenceAges: readonly Signal[] = factFields.map((field): Signal => {
  const at = placeOf(field)
  return {
    key: `evidence.${fieldKey(field)}.age_days`,
    title: `${facts[field].label}: age of the evidence in days`,
    type: 'number',
    field,
    datedBy: 'the newest evidence that supports the value',
    read: ({ evidence }, now) => {
      const newest = evidence[at]?.newest[0] ?? -1
      return newest < 0 ? undefined : daysBetween(newest, now)
    },
    changesAt: ({ evidence }, now, condition) => {
      const newest = evidence[at]?.newest[0] ?? -1
      return newest < 0 ? null : crossingOfAge(newest, now, condition)
    },
  }
})
