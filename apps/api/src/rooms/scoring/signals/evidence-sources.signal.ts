import { factFields, facts } from '../../businesses/businesses.thread.ts'
import { placeOf } from '../records/scoring-record.ts'
import { fieldKey, type Signal } from './signal.ts'

/** Signals, one per field: the number of different sources that support the field's value. */
export const evidenceSources: readonly Signal[] = factFields.map((field): Signal => {
  const at = placeOf(field)
  return {
    key: `evidence.${fieldKey(field)}.sources`,
    title: `${facts[field].label}: sources that support it`,
    type: 'number',
    field,
    datedBy: 'the newest evidence that supports the value',
    read: ({ evidence }) => {
      const sources = evidence[at]?.sources ?? 0
      return sources === 0 ? undefined : sources
    },
  }
})
