import type { Room } from '../room.ts'
import { exportJob } from './exports.jobs.ts'
import { exportRoutes } from './exports.routes.ts'
import { eraseExports } from './remove-files.ts'
import { startExportSweep } from './sweep-exports.ts'

export const exportRoom: Room = {
  name: 'exports',
  routes: [exportRoutes],
  jobKinds: [exportJob],
  loops: [{ name: 'export sweep', start: ({ store, log }) => startExportSweep(store, log) }],
  erase: async (tx, _businessIds, { dataDir, emptiedRequests }) => {
    const { tags, ...counts } = await eraseExports(tx, dataDir, emptiedRequests)
    return { counts: { ...counts, tags: tags.length }, emptiedRequests: tags }
  },
}
