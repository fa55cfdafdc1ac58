import { type Kysely, sql } from 'kysely'
import { sha256 } from '../lib/hashing.ts'
import type { AuditEventTable } from './audit-chain.ts'
import type { Database } from './database.ts'

declare module './database.ts' {
  interface Database {
    audit_redactions: AuditRedactionTable
  }
}

export type AuditRedactionTable = { tenant_id: string; sequence: number; event_id: string; residue: string }

/*
 * How the history loses content and stays provable (decision 0035). An event that is redacted keeps who, what, when and its hash, which
 * the next event rests on; `before`, `after` and the reason go. The erasure that took them is an event of the same chain and holds a
 * digest over what is left of all that it redacted, so that nobody can empty an event without a later one that says so.
 */

/** The form of what is hashed; a later form gets the next number. */
const RESIDUE_FORM = 1

type Residue = Omit<AuditEventTable, 'before_json' | 'after_json' | 'reason'>
export type RedactedEvent = { sequence: number; residue: string }
/** What an erasure's own event says of it. */
export type RedactionStatement = { events: number; digest: string }

/** SHA-256 over what stays of an event. */
export function residueOf(event: Residue): string {
  return sha256(
    JSON.stringify([
      RESIDUE_FORM,
      event.tenant_id,
      event.sequence,
      event.id,
      event.at,
      event.actor,
      event.action,
      event.subject_type,
      event.subject_id,
      event.business_id,
      event.correlation_id,
      event.previous_hash,
      event.hash,
    ]),
  )
}

export function statementOf(events: readonly RedactedEvent[]): RedactionStatement {
  return {
    events: events.length,
    digest: sha256(JSON.stringify(events.map(({ sequence, residue }) => [sequence, residue]))),
  }
}

export type ToRedact = {
  /** every event in the activity of these */
  businessIds: readonly string[]
  /** every event about these */
  subjectIds: readonly string[]
  /** every event of a merge, in whosever activity: what it told of one record came from the other */
  mergeIds: readonly string[]
}

/** The events that hold content and are to lose it, as they stand. Those that were redacted before have none. */
export async function findEventsToRedact(
  db: Kysely<Database>,
  tenantId: string,
  { businessIds, subjectIds, mergeIds }: ToRedact,
): Promise<RedactedEvent[]> {
  const list = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const { rows } = await sql<Residue>`
    SELECT tenant_id, sequence, id, at, actor, action, subject_type, subject_id, business_id, correlation_id, previous_hash, hash
    FROM audit_events
    WHERE tenant_id = ${tenantId} AND (before_json IS NOT NULL OR after_json IS NOT NULL OR reason IS NOT NULL)
      AND sequence IN (
        SELECT sequence FROM audit_events WHERE tenant_id = ${tenantId} AND business_id IN ${list(businessIds)}
        UNION
        SELECT sequence FROM audit_events
          WHERE tenant_id = ${tenantId} AND subject_id IS NOT business_id AND subject_id IN ${list([...businessIds, ...subjectIds])}
        UNION
        SELECT sequence FROM audit_events
          WHERE tenant_id = ${tenantId} AND action IN ('matching.merge', 'matching.reverse')
            AND after_json ->> 'mergeId' IN ${list(mergeIds)})
    ORDER BY sequence`.execute(db)
  return rows.map((row) => ({ sequence: row.sequence, residue: residueOf(row) }))
}

/** Takes the content of these events away, in the transaction whose event `eventId` says so. */
export async function redactEvents(
  db: Kysely<Database>,
  tenantId: string,
  eventId: string,
  events: readonly RedactedEvent[],
): Promise<void> {
  for (const { sequence, residue } of events) {
    await db
      .insertInto('audit_redactions')
      .values({ tenant_id: tenantId, sequence, event_id: eventId, residue })
      .execute()
    await db
      .updateTable('audit_events')
      .set({ before_json: null, after_json: null, reason: null })
      .where('tenant_id', '=', tenantId)
      .where('sequence', '=', sequence)
      .execute()
  }
}
