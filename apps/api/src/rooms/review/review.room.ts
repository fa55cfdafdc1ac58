import type { Tx } from '../../store/change/change.ts'
import type { Room } from '../room.ts'
import { bulkReview } from './bulk/bulk.jobs.ts'
import { bulkQuota, openPreviewQuota } from './bulk/bulk.quota.ts'
import { bulkRoutes } from './bulk/bulk.routes.ts'
import { eraseFromSelections } from './bulk/erase-selections.ts'
import { selectionSize } from './bulk/preview-bulk.ts'
import { eraseFromFilters } from './filters/erase-filters.ts'
import { ownFilterQuota, sharedFilterQuota } from './filters/filters.quota.ts'
import { filterRoutes } from './filters/filters.routes.ts'
import { queueRoutes } from './queue/queue.routes.ts'

const eraseTexts = async (tx: Tx, businessIds: readonly string[]) => ({
  savedFilters: await eraseFromFilters(tx, businessIds),
  bulkSelections: await eraseFromSelections(tx, businessIds),
})

export const reviewRoom: Room = {
  name: 'review',
  routes: [queueRoutes, filterRoutes, bulkRoutes],
  jobKinds: [bulkReview],
  quotas: [openPreviewQuota, bulkQuota, ownFilterQuota, sharedFilterQuota],
  otherLimits: [selectionSize],
  holdsNothing: { bulk_outcomes: 'ids and states of a bulk action, whose audit events are in the file' },
  erase: async (tx, businessIds) => ({ counts: await eraseTexts(tx, businessIds) }),
  erasePerson: (tx) => eraseTexts(tx, []),
  sample: async (desk) => (await import('./review.sample.ts')).sampleReview(desk),
}
