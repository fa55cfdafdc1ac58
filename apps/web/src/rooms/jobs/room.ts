import { IconStack2 } from '@tabler/icons-react'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import type { Room } from '../../ui/rooms/room.ts'
import { screen } from '../../ui/rooms/screen.tsx'
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
      component: screen(() => import('./jobs-screen.tsx'), 'JobsScreen', { permission: 'jobs.read', what: 'jobs' }),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/jobs/$jobId',
      component: screen(() => import('./job-screen.tsx'), 'JobScreen', { permission: 'jobs.read', what: 'jobs' }),
    }),
  ] as const
