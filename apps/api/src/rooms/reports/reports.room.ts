import type { Room } from '../room.ts'
import { reportJob } from './reports.jobs.ts'
import { eraseReports } from './reports.queries.ts'
import { reportQuota } from './reports.quota.ts'
import { reportRoutes } from './reports.routes.ts'

export const reportRoom: Room = {
  name: 'reports',
  routes: [reportRoutes],
  quotas: [reportQuota],
  jobKinds: [reportJob],
  erase: async (tx) => {
    const emptied = await eraseReports(tx)
    return { counts: { tags: emptied.length }, emptiedRequests: emptied }
  },
  sample: async (desk) => (await import('./reports.sample.ts')).sampleReports(desk),
}
