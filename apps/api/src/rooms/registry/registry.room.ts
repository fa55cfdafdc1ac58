import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { deleteExpiredRegistryFiles, deleteStrayRegistryFiles, eraseRounds } from './delete-files.ts'
import { registryConfirmationJob, registryFileJob, registryResultJob } from './registry.jobs.ts'
import { registryRoundQuota } from './registry.quota.ts'
import { registryRoutes } from './registry.routes.ts'
import { limits } from './registry.schema.ts'
import { resultSize } from './rounds.ts'

export const registryRoom: Room = {
  name: 'registry',
  routes: [registryRoutes],
  quotas: [registryRoundQuota],
  otherLimits: [resultSize],
  jobKinds: [registryFileJob, registryResultJob, registryConfirmationJob],
  upkeep: [deleteExpiredRegistryFiles, deleteStrayRegistryFiles],
  retention: [
    {
      key: 'registry_files',
      data: 'Files for the registry',
      term: termOf(limits.fileHours, 'hour'),
      begins: 'From the writing of the file. A result is stored until the round ends.',
      ends: 'The file is deleted. The round remains with its counts and hashes.',
      tasks: [deleteExpiredRegistryFiles.name, deleteStrayRegistryFiles.name],
    },
  ],
  sample: async (desk) => (await import('./registry.sample.ts')).sampleRegistry(desk),
  erase: async (tx, _businessIds, { dataDir }) => ({ counts: { registryRounds: await eraseRounds(tx, dataDir) } }),
}
