import { defineFacts } from '../define-facts.ts'

export const retentionFacts = defineFacts({ room: 'retention' })
