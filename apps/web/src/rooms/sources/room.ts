import { IconDatabaseImport } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseSourceSearch } from './source-search.ts'

export const sourceRoom: Room = {
  place: {
    id: 'sources',
    label: 'Sources',
    group: 'machinery',
    key: 's',
    to: '/sources',
    permission: 'sources.read',
    purpose: 'Places that records can come from, with terms, approvals and limits.',
    Icon: IconDatabaseImport,
  },
  tabs: [
    { to: '/sources', label: 'Registry', permission: 'sources.read' },
    { to: '/sources/csv-preview', label: 'CSV preview', permission: 'sources.preview' },
    { to: '/sources/files', label: 'Files', permission: 'sources.read' },
    { to: '/sources/incidents', label: 'Incidents', permission: 'sources.read' },
  ],
  recordParts: () => import('./sources.record.ts'),
}

export const sourceRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/sources', () => import('./registry-screen.tsx'), 'RegistryScreen', {
      permission: 'sources.read',
      what: 'the sources',
      parse: parseSourceSearch,
    }),
    page(parent, '/sources/files', () => import('./files-screen.tsx'), 'FilesScreen', {
      permission: 'sources.read',
      what: 'the files',
    }),
    page(parent, '/sources/incidents', () => import('./incidents-screen.tsx'), 'IncidentsScreen', {
      permission: 'sources.read',
      what: 'the incident records',
    }),
    page(parent, '/sources/$sourceId', () => import('./source-screen.tsx'), 'SourceScreen'),
  ] as const
