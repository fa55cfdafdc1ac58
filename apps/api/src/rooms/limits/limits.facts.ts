import { defineFacts } from '../define-facts.ts'

export const limitFacts = defineFacts({ room: 'limits' })
