import { IconAddressBook } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseContactSearch } from './contact-search.ts'

export const contactRoom: Room = {
  place: {
    id: 'contacts',
    label: 'Contacts',
    group: 'machinery',
    key: 'n',
    to: '/contacts',
    permission: 'contacts.read',
    purpose: 'Emails and phone numbers found on official websites, to accept or reject.',
    Icon: IconAddressBook,
  },
  tabs: [
    { to: '/contacts', label: 'Candidates', permission: 'contacts.read' },
    { to: '/contacts/extraction', label: 'Enable extraction', permission: 'contacts.read_counts' },
  ],
  recordParts: () => import('./contacts.record.ts'),
}

export const contactRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/contacts', () => import('./contacts-screen.tsx'), 'ContactsScreen', {
      permission: 'contacts.read',
      what: 'contact candidates',
      parse: parseContactSearch,
    }),
    page(parent, '/contacts/extraction', () => import('./extraction-screen.tsx'), 'ExtractionScreen', {
      permission: 'contacts.read_counts',
      what: 'contact extraction',
    }),
  ] as const
