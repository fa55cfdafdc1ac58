import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'

export const retentionRoom: Room = {
  settingsPages: [
    { to: '/settings/retention', label: 'Retention', keywords: 'what is kept how long period delete POPIA GDPR' },
  ],
}

export const retentionSettingsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [page(parent, '/retention', () => import('./retention-screen.tsx'), 'RetentionScreen')] as const
