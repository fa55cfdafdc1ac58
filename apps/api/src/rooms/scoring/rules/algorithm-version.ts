import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import { EVALUATION_VERSION } from './evaluate.rules.ts'

/** Stored with every run and score: identifies how records were read and evaluated. */
export const ALGORITHM_VERSION = `${EVALUATION_VERSION} ${NORMALIZATION_VERSION}`
