import { IconFileExport } from '@tabler/icons-react'
import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'

export const exportRoom: Room = {
  place: {
    id: 'exports',
    label: 'Exports',
    group: 'machinery',
    key: 'x',
    to: '/exports',
    permission: 'exports.read',
    purpose: 'Files of prospects, reports and the audit, stored for a day.',
    Icon: IconFileExport,
  },
}

export const exportRoutes = <Parent extends AnyRoute>(parent: Parent, Desk: RouteComponent) =>
  [createRoute({ getParentRoute: () => parent, path: '/exports', component: Desk })] as const
