import { IconDatabaseImport } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { screen } from '../../ui/lazy/screen.ts'
import type { Room } from '../../ui/rooms/room.ts'

export const csvPreviewRoom: Room = {
  place: {
    id: 'sources',
    label: 'Sources',
    group: 'machinery',
    key: 's',
    to: '/sources',
    permission: 'sources.preview',
    purpose: 'Where records may come from, with terms, approvals and limits.',
    Icon: IconDatabaseImport,
  },
}

export const csvPreviewRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/sources',
      component: screen(() => import('./csv-preview-screen.tsx'), 'CsvPreviewScreen'),
    }),
  ] as const
