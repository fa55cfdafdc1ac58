import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { deleteExpiredHoldings, deleteStrayHoldings, eraseHoldings } from './delete-files.ts'
import { holdingJob } from './holdings.jobs.ts'
import { holdingQuota } from './holdings.quota.ts'
import { holdingRoutes } from './holdings.routes.ts'
import { limits } from './holdings.schema.ts'

export const holdingRoom: Room = {
  name: 'holdings',
  routes: [holdingRoutes],
  quotas: [holdingQuota],
  jobKinds: [holdingJob],
  upkeep: [deleteExpiredHoldings, deleteStrayHoldings],
  retention: [
    {
      key: 'holding_files',
      data: 'Files of everything held',
      term: termOf(limits.fileHours, 'hour'),
      begins: `From the writing of the file. A further file replaces the oldest of ${limits.files}. An erasure of any prospect deletes all of these files at once.`,
      ends: 'The file is deleted, and the value that it was about. The collection remains with its counts and hashes.',
      tasks: [deleteExpiredHoldings.name, deleteStrayHoldings.name],
    },
  ],
  holds: {
    holdings: {
      title: 'Earlier collections of everything held',
      permission: 'holdings.create',
      along: 'holdings_by_business',
      columns: { id: 'Id', created_at: 'Requested at', created_by: 'Requested by', ended_at: 'Ended at' },
    },
  },
  erasePerson: eraseHoldings,
  erase: async (tx, _businessIds, { dataDir }) => ({ counts: { holdings: await eraseHoldings(tx, dataDir) } }),
}
