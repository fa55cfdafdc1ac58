import type { Store } from '../../../store/store.ts'
import { type ChangeEvent, selectPartners, selectSuggestedSince } from './changed-records.queries.ts'

/** Returns the records that the events concern, including both records of match suggestions. */
export async function recordsOf(
  store: Store,
  tenantId: string,
  events: readonly Pick<ChangeEvent, 'action' | 'business_id' | 'at'>[],
): Promise<string[]> {
  const named = events.flatMap(({ business_id: id }) => (id === null ? [] : [id]))
  const checked = events.flatMap(({ action, business_id: id }) =>
    action === 'matching.check' && id !== null ? [id] : [],
  )
  const partners = await selectPartners(store.reader, tenantId, checked)
  const run = events.find(({ action }) => action === 'matching.run')
  const suggested = run === undefined ? [] : await selectSuggestedSince(store.background, tenantId, run.at)
  return [...named, ...partners, ...suggested]
}
