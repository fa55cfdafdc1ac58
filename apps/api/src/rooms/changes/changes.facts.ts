import { defineFacts } from '../define-facts.ts'

export const changeFacts = defineFacts({ room: 'changes' })
