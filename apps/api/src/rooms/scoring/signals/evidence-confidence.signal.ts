import { factFields, facts } from '../../businesses/businesses.thread.ts'
import { placeOf } from '../records/scoring-record.ts'
import { confidences } from '../rules/content.ts'
import { fieldKey, labelOf, type Signal } from './signal.ts'

/** Signals, one per field: the highest confidence of the evidence that supports the field's value. */
export const evidenceConfidences: readonly Signal[] = factFields.map((field): Signal => {
  const at = placeOf(field)
  return {
    key: `evidence.${fieldKey(field)}.confidence`,
    title: `${facts[field].label}: confidence of the evidence`,
    type: 'choice',
    choices: confidences.map((value) => ({ value, label: labelOf(value) })),
    field,
    datedBy: 'the newest evidence that supports the value',
    read: ({ evidence }) => confidences[evidence[at]?.confidence ?? -1],
  }
})
