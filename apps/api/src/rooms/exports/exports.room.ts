import type { Room } from '../room.ts'
import { exportJob } from './exports.jobs.ts'
import { exportQuota } from './exports.quota.ts'
import { exportRoutes } from './exports.routes.ts'
import { eraseExports } from './remove-files.ts'
import { startExportSweep } from './sweep-exports.ts'

export const exportRoom: Room = {
  name: 'exports',
  routes: [exportRoutes],
  quotas: [exportQuota],
  jobKinds: [exportJob],
  loops: [{ name: 'export sweep', start: ({ store, log }) => startExportSweep(store, log) }],
  erase: async (tx, businessIds, context) => {
    const { texts, ...counts } = await eraseExports(tx, businessIds, context)
    return { counts: { ...counts, tags: texts.length }, emptiedRequests: texts }
  },
}
