import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { EVALUATION_VERSION } from './evaluate.rules.ts'

/** Recorded with every run and score: how records were read and evaluated. */
export const ALGORITHM_VERSION = `${EVALUATION_VERSION} ${NORMALIZATION_VERSION}`
