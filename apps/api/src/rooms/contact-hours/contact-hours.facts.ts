import { defineFacts } from '../define-facts.ts'

export const contactHoursFacts = defineFacts({ room: 'contact-hours' })
