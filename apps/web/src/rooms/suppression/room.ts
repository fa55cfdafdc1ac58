import { IconBan } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseSuppressionSearch } from './suppression-search.ts'

export const suppressionRoom: Room = {
  place: {
    id: 'suppression',
    label: 'Do-not-contact list',
    group: 'desk',
    key: 'u',
    to: '/suppression',
    permission: 'suppression.read',
    purpose: 'Addresses, numbers and domains that nobody may contact, with their history.',
    Icon: IconBan,
  },
  tabs: [
    { to: '/suppression', label: 'Entries' },
    { to: '/suppression/registry', label: 'Registry rounds', permission: 'registry.read' },
  ],
  recordParts: () => import('./suppression.record.ts'),
}

export const suppressionRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/suppression', () => import('./suppression-screen.tsx'), 'SuppressionScreen', {
      permission: 'suppression.read',
      what: 'the entries of the do-not-contact list',
      parse: parseSuppressionSearch,
    }),
    page(parent, '/suppression/paste', () => import('./paste-screen.tsx'), 'PasteScreen', {
      permission: 'suppression.add',
      to: 'add entries to the do-not-contact list',
    }),
    page(parent, '/suppression/$suppressionId', () => import('./entry-screen.tsx'), 'EntryScreen'),
  ] as const
