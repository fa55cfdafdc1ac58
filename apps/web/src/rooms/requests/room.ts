import { IconAddressBook } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseRequestSearch } from './request-search.ts'

export const requestRoom: Room = {
  place: {
    id: 'requests',
    label: 'Subject requests',
    group: 'desk',
    key: 'k',
    to: '/subject-requests',
    permission: 'requests.read',
    purpose: 'Requests of people about their own data.',
    Icon: IconAddressBook,
  },
  recordParts: () => import('./requests.record.ts'),
}

/** Declared once, because the build adds the list of needed files to what every page loads first, at each place that imports. */
const screens = () => import('./lazy.ts')

export const requestRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/subject-requests', screens, 'RequestsScreen', {
      permission: 'requests.read',
      what: 'subject requests',
      parse: parseRequestSearch,
    }),
    page(parent, '/subject-requests/$requestId', screens, 'RequestScreen'),
  ] as const
