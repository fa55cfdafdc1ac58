import { IconWorld } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseAboutSearch, parseCandidateSearch, parseDomainSearch } from './domain-search.ts'

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
    page(parent, '/domains', () => import('./domains-screen.tsx'), 'DomainsScreen', {
      permission: 'domains.read',
      what: 'the domains',
      parse: parseDomainSearch,
    }),
    page(parent, '/domains/candidates', () => import('./candidates-screen.tsx'), 'CandidatesScreen', {
      permission: 'domains.read',
      what: 'the candidates',
      parse: parseCandidateSearch,
    }),
    page(parent, '/domains/paste', () => import('./paste-screen.tsx'), 'PasteScreen', {
      permission: 'domains.record',
      to: 'record DNS output',
    }),
    page(parent, '/domains/about', () => import('./domain-screen.tsx'), 'DomainScreen', { parse: parseAboutSearch }),
  ] as const
