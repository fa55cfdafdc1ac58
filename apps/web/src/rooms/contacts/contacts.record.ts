import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { WebsiteContacts } from './website-contacts.tsx'

export const recordParts: RecordParts = {
  tabParts: [{ tab: 'website', Content: WebsiteContacts }],
}
