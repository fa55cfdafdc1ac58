import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'

export const limitRoom: Room = {
  settingsPages: [{ to: '/settings/limits', label: 'Limits and use', keywords: 'quota full maximum' }],
}

export const limitSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/limits',
      component: screen(() => import('./limits-screen.tsx'), 'LimitsScreen'),
    }),
  ] as const
