import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'

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
    page(parent, '/assistance', () => import('./assistance-screen.tsx'), 'AssistanceScreen', {
      permission: 'assist.read',
      what: 'assistance',
    }),
  ] as const
