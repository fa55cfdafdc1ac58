import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { emptySuppressed } from './empty-candidates.ts'

/** By store, the newest entry that the candidates of each tenant were compared with. */
const compared = new WeakMap<Store, Map<string, string>>()

/** Empties candidates that a later suppression entry matches, within ten seconds. */
export const emptyAfterEntries: Upkeep<{ store: Store }> = {
  name: 'empty suppressed contact candidates',
  everyMs: 5_000,
  limit: 100,
  forTenant: async ({ store, tenantId, isStopped }) => {
    const ofStore = compared.get(store) ?? new Map<string, string>()
    compared.set(store, ofStore)
    const newest = await newestEntry(store, tenantId)
    if (newest === ofStore.get(tenantId)) return
    await emptySuppressed(store, tenantId, isStopped)
    ofStore.set(tenantId, newest)
  },
}

/** Returns the id of the newest entry. Entries are added and ended, and never changed otherwise. */
async function newestEntry(store: Store, tenantId: string): Promise<string> {
  const { newest } = await store.reader
    .selectFrom('suppressions')
    .select(({ fn }) => fn.max('id').as('newest'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return newest ?? ''
}
