import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { followChanges } from './follow-changes.ts'

/** Stores the ends of proposals and approvals. */
export const endSuggestions: Upkeep<{ store: Store; adapters: LoadedAdapters }> = {
  name: 'end suggestions of assistance',
  everyMs: 5_000,
  limit: 1,
  forTenant: ({ store, tenantId, adapters, isStopped }) => followChanges(store, tenantId, adapters, isStopped),
}
