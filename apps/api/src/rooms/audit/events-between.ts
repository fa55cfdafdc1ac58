import type { Db } from '../../store/database.ts'
import type { EventWithRedaction } from './verify-redactions.ts'

const EVENTS_PER_QUERY = 128

/**
 * Reads the next events after a sequence, at most to `end`, with their redactions. It is one statement, so that an erasure at the same time is read
 * completely or not at all.
 */
export function eventsBetween(db: Db, tenantId: string, after: number, end: number): Promise<EventWithRedaction[]> {
  return db
    .selectFrom('audit_events as e')
    .leftJoin('audit_redactions as x', (join) =>
      join.onRef('x.tenant_id', '=', 'e.tenant_id').onRef('x.sequence', '=', 'e.sequence'),
    )
    .selectAll('e')
    .select(['x.event_id as redacted_by', 'x.residue', 'x.content_hash'])
    .where('e.tenant_id', '=', tenantId)
    .where('e.sequence', '>', after)
    .where('e.sequence', '<=', end)
    .orderBy('e.sequence')
    .limit(EVENTS_PER_QUERY)
    .execute()
}
