import { IconWorld } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { screen } from '../../ui/lazy/screen.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseAboutSearch, parseDomainSearch } from './domain-search.ts'

export const domainRoom: Room = {
  place: {
    id: 'domains',
    label: 'Domains',
    group: 'machinery',
    key: 'o',
    to: '/domains',
    permission: 'domains.read',
    purpose: 'Web domains, with DNS data and the prospects they may belong to.',
    Icon: IconWorld,
  },
  recordParts: () => import('./domains.record.ts'),
}

export const domainRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/domains',
      validateSearch: parseDomainSearch,
      component: screen(() => import('./domains-screen.tsx'), 'DomainsScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/domains/candidates',
      component: screen(() => import('./candidates-screen.tsx'), 'CandidatesScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/domains/paste',
      component: screen(() => import('./paste-screen.tsx'), 'PasteScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/domains/about',
      validateSearch: parseAboutSearch,
      component: screen(() => import('./domain-screen.tsx'), 'DomainScreen'),
    }),
  ] as const
