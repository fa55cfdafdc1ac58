import { type Kysely, type RawBuilder, sql } from 'kysely'
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
  /** merges into another record that were reversed: what was written of its facts in between tells theirs as well */
  carried: readonly { mergeId: string; survivorId: string }[]
}

/** The events that hold content and are to lose it, as they stand. Those that were redacted before have none. */
export async function findEventsToRedact(
  db: Kysely<Database>,
  tenantId: string,
  { businessIds, subjectIds, mergeIds, carried }: ToRedact,
): Promise<RedactedEvent[]> {
  const list = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  return eventsWhere(
    db,
    tenantId,
    sql`(before_json IS NOT NULL OR after_json IS NOT NULL OR reason IS NOT NULL)
      AND sequence IN (
        SELECT sequence FROM audit_events WHERE tenant_id = ${tenantId} AND business_id IN ${list(businessIds)}
        UNION
        SELECT sequence FROM audit_events
          WHERE tenant_id = ${tenantId} AND subject_id IS NOT business_id AND subject_id IN ${list([...businessIds, ...subjectIds])}
        UNION
        SELECT sequence FROM audit_events
          WHERE tenant_id = ${tenantId} AND action IN ('matching.merge', 'matching.reverse')
            AND after_json ->> 'mergeId' IN ${list(mergeIds)}
        UNION
        SELECT within.sequence FROM (
          SELECT own.business_id AS id, min(own.sequence) AS since, max(own.sequence) AS until
          FROM json_each(${JSON.stringify(carried)}) merge CROSS JOIN audit_events own
            ON own.tenant_id = ${tenantId} AND own.business_id = merge.value ->> 'survivorId'
          WHERE own.action IN ('matching.merge', 'matching.reverse') AND own.after_json ->> 'mergeId' = merge.value ->> 'mergeId'
          GROUP BY merge.key) span
          CROSS JOIN audit_events within ON within.tenant_id = ${tenantId} AND within.business_id = span.id
            AND within.sequence BETWEEN span.since AND span.until
          WHERE within.action IN ('business.edit', 'matching.merge', 'matching.reverse'))`,
  )
}

/** The events that tell how these reports and exports were asked for, as far as they hold content. */
export async function findRequestsToRedact(
  db: Kysely<Database>,
  tenantId: string,
  subjectIds: readonly string[],
): Promise<RedactedEvent[]> {
  return eventsWhere(
    db,
    tenantId,
    sql`subject_id IN (SELECT value FROM json_each(${JSON.stringify(subjectIds)}))
      AND subject_id IS NOT business_id AND action IN ('report.request', 'export.request') AND after_json IS NOT NULL`,
  )
}

async function eventsWhere(
  db: Kysely<Database>,
  tenantId: string,
  condition: RawBuilder<unknown>,
): Promise<RedactedEvent[]> {
  const { rows } = await sql<Residue>`
    SELECT tenant_id, sequence, id, at, actor, action, subject_type, subject_id, business_id, correlation_id, previous_hash, hash
    FROM audit_events
    WHERE tenant_id = ${tenantId} AND ${condition}
    ORDER BY sequence`.execute(db)
  return rows.map((row) => ({ sequence: row.sequence, residue: residueOf(row) }))
}

/** Every value that these events tell of these fields, before or after. */
export async function valuesTold(
  db: Kysely<Database>,
  tenantId: string,
  events: readonly RedactedEvent[],
  fields: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    SELECT DISTINCT told.value FROM json_each(${JSON.stringify(events.map(({ sequence }) => sequence))}) event
      CROSS JOIN audit_events a ON a.tenant_id = ${tenantId} AND a.sequence = event.value
      CROSS JOIN (SELECT 0 AS after UNION ALL SELECT 1) side
      CROSS JOIN json_each(CASE side.after WHEN 1 THEN a.after_json ELSE a.before_json END) told
    WHERE told.type = 'text' AND told.key IN (SELECT value FROM json_each(${JSON.stringify(fields)}))`.execute(db)
  return rows.map(({ value }) => value)
}

/** Takes the content of these events away, in the transaction whose event `eventId` says so. */
export async function redactEvents(
  db: Kysely<Database>,
  tenantId: string,
  eventId: string,
  events: readonly RedactedEvent[],
): Promise<void> {
  const list = JSON.stringify(events)
  await sql`
    INSERT INTO audit_redactions (tenant_id, sequence, event_id, residue)
    SELECT ${tenantId}, value ->> 'sequence', ${eventId}, value ->> 'residue' FROM json_each(${list})`.execute(db)
  await sql`
    UPDATE audit_events SET before_json = NULL, after_json = NULL, reason = NULL
    WHERE tenant_id = ${tenantId} AND sequence IN (SELECT value ->> 'sequence' FROM json_each(${list}))`.execute(db)
}
