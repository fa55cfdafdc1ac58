import { makeIdsAfter } from '../../lib/ids.ts'
import type { Connection } from './connection.ts'

/**
 * Selects the newest identifier in the store. Every change ends with an audit event, so the newest identifier is that of the last event of a chain,
 * or was created in the same millisecond.
 */
const NEWEST = `
  SELECT max((SELECT e.id FROM audit_events e WHERE e.tenant_id = t.id ORDER BY e.sequence DESC LIMIT 1)) FROM tenants t`

/**
 * Makes new identifiers larger than those in the store, because lists are ordered by identifier. Otherwise, after the clock was set back, new rows
 * would sort before existing ones, and a run of matching would miss them.
 */
export function goOnWithIds(connection: Connection): void {
  const newest = connection.prepare(NEWEST).pluck().get()
  if (typeof newest === 'string') makeIdsAfter(newest)
}
