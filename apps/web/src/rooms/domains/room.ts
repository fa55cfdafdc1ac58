import { IconWorld } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
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
      component: screen(() => import('./domains-screen.tsx'), 'DomainsScreen', {
        permission: 'domains.read',
        what: 'the domains',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/domains/candidates',
      component: screen(() => import('./candidates-screen.tsx'), 'CandidatesScreen', {
        permission: 'domains.read',
        what: 'the candidates',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/domains/paste',
      component: screen(() => import('./paste-screen.tsx'), 'PasteScreen', {
        permission: 'domains.record',
        to: 'record DNS output',
      }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/domains/about',
      validateSearch: parseAboutSearch,
      component: screen(() => import('./domain-screen.tsx'), 'DomainScreen'),
    }),
  ] as const
