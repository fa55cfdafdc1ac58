import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'

export const assistRoom: Room = {
  settingsPages: [
    {
      to: '/settings/assistance',
      label: 'Assistance',
      keywords: 'AI provider policy budget usage disabled',
      permission: 'assist.read',
    },
  ],
  recordParts: () => import('./assist.record.ts'),
}

export const assistSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/assistance',
      component: screen(() => import('./assistance-screen.tsx'), 'AssistanceScreen', {
        permission: 'assist.read',
        what: 'assistance',
      }),
    }),
  ] as const
