import { IconWorldSearch } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseProposedSitesSearch, parseScanSearch } from './scan-search.ts'

export const scanningRoom: Room = {
  place: {
    id: 'websites',
    label: 'Websites',
    group: 'machinery',
    key: 'w',
    to: '/websites',
    permission: 'scanning.read',
    purpose: 'Scans of the websites of prospects, from saved copies and fetched pages.',
    Icon: IconWorldSearch,
  },
  tabs: [
    { to: '/websites', label: 'Scans', permission: 'scanning.read' },
    { to: '/websites/proposed-sites', label: 'Proposed sites', permission: 'scanning.read' },
    { to: '/websites/policy', label: 'Scan policy', permission: 'scanning.read' },
  ],
  recordParts: () => import('./scanning.record.ts'),
}

export const scanningRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/websites', () => import('./websites-screen.tsx'), 'WebsitesScreen', {
      permission: 'scanning.read',
      what: 'websites',
      parse: parseScanSearch,
    }),
    page(parent, '/websites/proposed-sites', () => import('./proposed-sites-screen.tsx'), 'ProposedSitesScreen', {
      permission: 'scanning.read',
      what: 'proposed sites',
      parse: parseProposedSitesSearch,
    }),
    page(parent, '/websites/policy', () => import('./policy-screen.tsx'), 'PolicyScreen', {
      permission: 'scanning.read',
      what: 'the scan policy',
    }),
  ] as const
