import { factFields, facts } from '../../businesses/businesses.thread.ts'
import { isStated, placeOf } from '../records/scoring-record.ts'
import { choicesOf, fieldKey, type Signal } from './signal.ts'

/**
 * Signals, one per field: whether evidence supports or contradicts the field's value. One contradiction outweighs any number of supporting claims.
 */
export const evidenceStandings: readonly Signal[] = factFields.map((field): Signal => {
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
