import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'

export const limitRoom: Room = {
  settingsPages: [{ to: '/settings/limits', label: 'Limits and use', keywords: 'quota full maximum' }],
}

export const limitSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [page(parent, '/limits', () => import('./limits-screen.tsx'), 'LimitsScreen')] as const
