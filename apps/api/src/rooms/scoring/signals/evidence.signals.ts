import { factFields, facts } from '../../businesses/businesses.pure.ts'
import { isStated, placeOf } from '../records/scoring-record.ts'
import { confidences } from '../rules/content.ts'
import { choicesOf, crossingOfAge, daysBetween, fieldKey, labelOf, type Signal } from './signal.ts'

/* Signals of the evidence about the fields of the record. */

/** Signal: the number of fields of the record whose value evidence contradicts. */
export const contradictions: Signal = {
  key: 'record.contradictions',
  title: 'Contradicted fields',
  type: 'number',
  reads: 'evidence',
  datedBy: null,
  read: ({ evidence }) => {
    let contradicted = 0
    for (const one of evidence) if (one !== null && one.contradicting > 0) contradicted += 1
    return contradicted
  },
  isPartial: ({ evidence }) => evidence.some((one) => one?.isPartial === true),
}

/**
 * Signals, one per field: whether evidence supports or contradicts the field's value. One contradiction outweighs any number of supporting claims.
 */
export const evidenceStates: readonly Signal[] = factFields.map((field): Signal => {
  const at = placeOf(field)
  return {
    key: `evidence.${fieldKey(field)}.standing`,
    title: `${facts[field].label}: standing of the evidence`,
    type: 'choice',
    choices: choicesOf({ supported: 'Supported', contradicted: 'Contradicted', unsupported: 'Unsupported' }),
    field,
    datedBy: 'the newest evidence that supports the value',
    measuresEvidence: true,
    read: (record) => {
      const evidence = record.evidence[at]
      if (evidence != null && evidence.contradicting > 0) return 'contradicted'
      if (evidence != null && evidence.supporting > 0) return 'supported'
      return isStated(record, at) ? 'unsupported' : undefined
    },
  }
})

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
