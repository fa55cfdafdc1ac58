import { IconStack2 } from '@tabler/icons-react'
import type { AnyRoute } from '@tanstack/react-router'
import { page } from '../../ui/rooms/page.ts'
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

const jobs = { permission: 'jobs.read', what: 'jobs' } as const

export const jobRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    page(parent, '/jobs', () => import('./jobs-screen.tsx'), 'JobsScreen', { ...jobs, parse: parseJobsSearch }),
    page(parent, '/jobs/$jobId', () => import('./job-screen.tsx'), 'JobScreen', jobs),
  ] as const
