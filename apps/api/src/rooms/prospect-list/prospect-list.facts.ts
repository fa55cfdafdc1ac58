import { defineFacts } from '../define-facts.ts'

export const prospectListFacts = defineFacts({ room: 'prospect-list' })
