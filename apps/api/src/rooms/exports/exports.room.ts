import type { Room } from '../room.ts'
import { exportJob } from './exports.jobs.ts'
import { exportRoutes } from './exports.routes.ts'
import { startKeepingExports } from './keep-exports.ts'
import { eraseExports } from './remove-files.ts'

export const exportRoom: Room = {
  name: 'exports',
  routes: [exportRoutes],
  jobKinds: [exportJob],
  loops: [{ name: 'exports', start: ({ store, log }) => startKeepingExports(store, log) }],
  erase: async (tx, _businessIds, { dataDir, emptiedRequests }) => {
    const { tags, ...counts } = await eraseExports(tx, dataDir, emptiedRequests)
    return { counts: { ...counts, tags: tags.length }, emptiedRequests: tags }
  },
}
