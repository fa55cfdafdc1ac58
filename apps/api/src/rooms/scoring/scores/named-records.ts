import type { Db } from '../../../store/database.ts'
import { type NamingEvent, selectPartners, selectSuggestedSince } from './changed-records.queries.ts'

/**
 * Returns the records that the events concern, including both records of match suggestions. `db` reads the partners of checked records: the main reader
 * for a page of the follower, the background reader for more events. The background reader always reads the suggestions of a matching run.
 */
export async function recordsOf(
  { db, background }: { db: Db; background: Db },
  tenantId: string,
  events: readonly NamingEvent[],
): Promise<string[]> {
  const named = events.flatMap(({ business_id: id }) => (id === null ? [] : [id]))
  const checked = events.flatMap(({ action, business_id: id }) =>
    action === 'matching.check' && id !== null ? [id] : [],
  )
  const partners = await selectPartners(db, tenantId, checked)
  const run = events.find(({ action }) => action === 'matching.run')
  const suggested = run === undefined ? [] : await selectSuggestedSince(background, tenantId, run.at)
  return [...named, ...partners, ...suggested]
}
