import type { Store } from '../../../store/store.ts'
import { ensureJob } from '../../jobs/jobs.ts'
import type { Upkeep } from '../../room.ts'
import { rawRetention } from '../sources.jobs.ts'
import { hasDueRaw } from './records.queries.ts'

/** Queues the deletion of raw texts past their retention period. */
export const queueRawRetention: Upkeep<{ store: Store }> = {
  name: 'queue the deletion of raw texts',
  everyMs: 600_000,
  limit: 1,
  forTenant: async ({ store, tenantId }) => {
    if (await hasDueRaw(store.reader, tenantId, store.clock().toISOString()))
      await ensureJob(store, rawRetention, { tenantId, by: 'sources' })
  },
}
