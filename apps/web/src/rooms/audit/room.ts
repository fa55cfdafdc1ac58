import { IconHistory } from '@tabler/icons-react'
import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
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

/** `Desk` shows the log. */
export const auditRoutes = <Parent extends AnyRoute>(parent: Parent, Desk: RouteComponent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/audit',
      component: Desk,
      validateSearch: parseAuditSearch,
    }),
  ] as const
