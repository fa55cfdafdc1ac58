import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'

export const healthRoom: Room = {
  settingsPages: [
    {
      to: '/settings/acceptance',
      label: 'Acceptance',
      keywords: 'report gates checks blockers',
      permission: 'tenant.configure',
    },
  ],
}

export const healthSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/acceptance',
      component: screen(() => import('./acceptance-screen.tsx'), 'AcceptanceScreen'),
    }),
  ] as const
