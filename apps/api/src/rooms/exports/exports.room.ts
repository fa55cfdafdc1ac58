import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { deleteExpiredFiles, deleteStrayFiles } from './delete-files.ts'
import { exportJob, KEPT_HOURS } from './exports.jobs.ts'
import { exportQuota } from './exports.quota.ts'
import { exportRoutes } from './exports.routes.ts'
import { holdExports } from './hold-exports.ts'
import { eraseExports } from './remove-files.ts'

export const exportRoom: Room = {
  name: 'exports',
  routes: [exportRoutes],
  quotas: [exportQuota],
  jobKinds: [exportJob],
  upkeep: [deleteExpiredFiles, deleteStrayFiles],
  retention: [
    {
      key: 'export_files',
      data: 'Files of exports',
      term: termOf(KEPT_HOURS, 'hour'),
      begins: 'From the request of the export.',
      ends: 'The file is deleted. The export remains in the list with its filter and its counts.',
      tasks: [deleteExpiredFiles.name, deleteStrayFiles.name],
    },
  ],
  hold: holdExports,
  erasePerson: (tx, dataDir) => eraseExports(tx, [], { dataDir, emptiedRequests: [] }),
  erase: async (tx, businessIds, context) => {
    const { texts, ...counts } = await eraseExports(tx, businessIds, context)
    return { counts: { ...counts, tags: texts.length }, emptiedRequests: texts }
  },
  sample: async (desk) => (await import('./exports.sample.ts')).sampleExports(desk),
}
