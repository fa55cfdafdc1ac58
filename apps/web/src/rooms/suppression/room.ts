import { IconBan } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
import { parseSuppressionSearch } from './suppression-search.ts'

export const suppressionRoom: Room = {
  place: {
    id: 'suppression',
    label: 'Do-not-contact list',
    group: 'desk',
    key: 'u',
    to: '/suppression',
    permission: 'suppression.read',
    purpose: 'Addresses, domains and phones that must not be contacted, with their history.',
    Icon: IconBan,
  },
  recordParts: () => import('./suppression.record.ts'),
}

export const suppressionRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/suppression',
      validateSearch: parseSuppressionSearch,
      component: screen(() => import('./suppression-screen.tsx'), 'SuppressionScreen', {
        permission: 'suppression.read',
        what: 'the entries of the do-not-contact list',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/suppression/paste',
      component: screen(() => import('./paste-screen.tsx'), 'PasteScreen', {
        permission: 'suppression.add',
        to: 'add entries to the do-not-contact list',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/suppression/$suppressionId',
      component: screen(() => import('./entry-screen.tsx'), 'EntryScreen'),
    }),
  ] as const
