import { makeIdsAfter } from '../../lib/ids.ts'
import type { Connection } from './connection.ts'

/** Every change ends with an event, so the last ones of all chains hold the newest identifier, or one of its millisecond. */
const NEWEST = `
  SELECT max((SELECT e.id FROM audit_events e WHERE e.tenant_id = t.id ORDER BY e.sequence DESC LIMIT 1)) FROM tenants t`

/**
 * Makes new identifiers larger than those that are in the store: lists are in their order, and where the clock was set back since, what is
 * written now would stand before what was there, and a run would go on from words that an earlier one counted.
 */
export function goOnWithIds(connection: Connection): void {
  const newest = connection.prepare(NEWEST).pluck().get()
  if (typeof newest === 'string') makeIdsAfter(newest)
}
