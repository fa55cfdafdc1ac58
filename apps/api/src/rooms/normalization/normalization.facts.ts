import { defineFacts } from '../define-facts.ts'

export const normalizationFacts = defineFacts({ room: 'normalization' })
