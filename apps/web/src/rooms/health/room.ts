import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'

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
  [page(parent, '/acceptance', () => import('./acceptance-screen.tsx'), 'AcceptanceScreen')] as const
