import { AGREEMENT_VERSION, NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { EVALUATION_VERSION } from './evaluate.rules.ts'

/** Version of the code that reads and evaluates records. Stored with every run and score. */
export const ALGORITHM_VERSION = `${EVALUATION_VERSION} ${NORMALIZATION_VERSION} ${AGREEMENT_VERSION}`
