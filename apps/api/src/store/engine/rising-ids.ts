import { makeIdsAfter } from '../../lib/ids.ts'
import type { Connection } from './connection.ts'

/** Every change ends with an event, so the last events of all chains have the newest identifier, or one of the same millisecond. */
const NEWEST = `
  SELECT max((SELECT e.id FROM audit_events e WHERE e.tenant_id = t.id ORDER BY e.sequence DESC LIMIT 1)) FROM tenants t`

/**
 * Makes new identifiers larger than those in the store, because lists are ordered by identifier. After the clock was set back, new rows would
 * otherwise sort before existing ones, and a matching run would miss them.
 */
export function goOnWithIds(connection: Connection): void {
  const newest = connection.prepare(NEWEST).pluck().get()
  if (typeof newest === 'string') makeIdsAfter(newest)
}
