import { IconStack2 } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { screen } from '../../ui/lazy/screen.ts'
import type { Room } from '../../ui/rooms/room.ts'
import { parseJobsSearch } from './jobs-search.ts'

export const jobRoom: Room = {
  place: {
    id: 'jobs',
    label: 'Jobs',
    group: 'machinery',
    key: 'j',
    to: '/jobs',
    permission: 'jobs.read',
    purpose: 'Long-running work with progress and events.',
    Icon: IconStack2,
  },
}

export const jobRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/jobs',
      validateSearch: parseJobsSearch,
      component: screen(() => import('./jobs-screen.tsx'), 'JobsScreen'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/jobs/$jobId',
      component: screen(() => import('./job-screen.tsx'), 'JobScreen'),
    }),
  ] as const
