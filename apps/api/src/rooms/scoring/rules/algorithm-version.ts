import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { EVALUATION_VERSION } from './evaluate.rules.ts'

/** Stored with every run and score. Identifies the rules for reading and evaluating records. */
export const ALGORITHM_VERSION = `${EVALUATION_VERSION} ${NORMALIZATION_VERSION}`
