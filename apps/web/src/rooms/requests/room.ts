import { IconAddressBook } from '@tabler/icons-react'
import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
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

/** Routes of subject requests. `Desk` shows one request. */
export const requestRoutes = <Parent extends AnyRoute>(parent: Parent, Desk: RouteComponent) =>
  [
    page(parent, '/subject-requests', () => import('./lazy.ts'), 'RequestsScreen', {
      permission: 'requests.read',
      what: 'subject requests',
      parse: parseRequestSearch,
    }),
    createRoute({ getParentRoute: () => parent, path: '/subject-requests/$requestId', component: Desk }),
  ] as const
