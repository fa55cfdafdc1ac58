import type { Room } from '../room.ts'
import { deleteExpiredFiles, deleteStrayFiles } from './delete-files.ts'
import { exportJob } from './exports.jobs.ts'
import { exportQuota } from './exports.quota.ts'
import { exportRoutes } from './exports.routes.ts'
import { eraseExports } from './remove-files.ts'

export const exportRoom: Room = {
  name: 'exports',
  routes: [exportRoutes],
  quotas: [exportQuota],
  jobKinds: [exportJob],
  upkeep: [deleteExpiredFiles, deleteStrayFiles],
  erase: async (tx, businessIds, context) => {
    const { texts, ...counts } = await eraseExports(tx, businessIds, context)
    return { counts: { ...counts, tags: texts.length }, emptiedRequests: texts }
  },
  sample: async (desk) => (await import('./exports.sample.ts')).sampleExports(desk),
}
