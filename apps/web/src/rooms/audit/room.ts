import { IconHistory } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
import { parseAuditSearch } from './audit-search.ts'

export const auditRoom: Room = {
  place: {
    id: 'audit',
    label: 'Audit',
    group: 'machinery',
    key: 'a',
    to: '/audit',
    permission: 'audit.read',
    purpose: 'All changes, with person, time and reason.',
    Icon: IconHistory,
  },
  recordParts: () => import('./audit.record.ts'),
}

export const auditRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/audit',
      validateSearch: parseAuditSearch,
      component: screen(() => import('./audit-screen.tsx'), 'AuditScreen', {
        permission: 'audit.read',
        what: 'the audit log',
      }),
    }),
  ] as const
