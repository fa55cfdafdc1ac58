import { defineFacts } from '../define-facts.ts'

export const contactFacts = defineFacts({ room: 'contacts' })
