import { IconHistory } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
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

export const auditRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/audit', () => import('./audit-screen.tsx'), 'AuditScreen', {
      permission: 'audit.read',
      what: 'the audit log',
      parse: parseAuditSearch,
    }),
  ] as const
