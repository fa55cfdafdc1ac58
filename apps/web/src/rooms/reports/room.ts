import { IconChartBar } from '@tabler/icons-react'
import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseReportQuestion } from './report-search.ts'

export const reportRoom: Room = {
  place: {
    id: 'reports',
    label: 'Reports',
    group: 'desk',
    key: 't',
    to: '/reports',
    permission: 'reports.read',
    purpose: 'Counts over a period, with the meaning of each number.',
    Icon: IconChartBar,
  },
}

/** Routes of reports. `Desk` shows one report. */
export const reportRoutes = <Parent extends AnyRoute>(parent: Parent, Desk: RouteComponent) =>
  [
    page(parent, '/reports', () => import('./reports-screen.tsx'), 'ReportsScreen', {
      permission: 'reports.read',
      what: 'reports',
    }),
    page(parent, '/reports/new', () => import('./new-report-screen.tsx'), 'NewReportScreen', {
      permission: 'reports.create',
      to: 'create reports',
      parse: parseReportQuestion,
    }),
    createRoute({ getParentRoute: () => parent, path: '/reports/$reportId', component: Desk }),
  ] as const
