import { IconWorldSearch } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { screen } from '../../ui/lazy/screen.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseScanSearch } from './scan-search.ts'

export const scanningRoom: Room = {
  place: {
    id: 'websites',
    label: 'Websites',
    group: 'machinery',
    key: 'w',
    to: '/websites',
    permission: 'scanning.read',
    purpose: 'Scans of the websites of prospects, supplied and fetched.',
    Icon: IconWorldSearch,
  },
  recordParts: () => import('./scanning.record.ts'),
}

export const scanningRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/websites',
      validateSearch: parseScanSearch,
      component: screen(() => import('./websites-screen.tsx'), 'WebsitesScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/websites/policy',
      component: screen(() => import('./policy-screen.tsx'), 'PolicyScreen'),
    }),
  ] as const
