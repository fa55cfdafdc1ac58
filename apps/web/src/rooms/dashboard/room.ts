import { IconLayoutDashboard } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'

export const dashboardRoom: Room = {
  place: {
    id: 'dashboard',
    label: 'Dashboard',
    group: 'desk',
    key: 'h',
    to: '/dashboard',
    permission: 'dashboard.read',
    purpose: 'Your open work today. Each count opens its records.',
    Icon: IconLayoutDashboard,
  },
}

export const dashboardRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/dashboard',
      component: screen(() => import('./dashboard-screen.tsx'), 'DashboardScreen'),
    }),
  ] as const
