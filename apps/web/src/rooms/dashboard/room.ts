import { IconLayoutDashboard } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'

export const dashboardRoom: Room = {
  place: {
    id: 'dashboard',
    label: 'Dashboard',
    group: 'desk',
    key: 'h',
    to: '/dashboard',
    permission: 'dashboard.read',
    purpose: 'Your open work today. Click a number to open its list.',
    Icon: IconLayoutDashboard,
  },
}

export const dashboardRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [page(parent, '/dashboard', () => import('./dashboard-screen.tsx'), 'DashboardScreen')] as const
