import { type Kysely, type RawBuilder, sql } from 'kysely'
import { sha256 } from '../../lib/hashing.ts'
import type { Database } from '../database.ts'
import {
  alongIndex,
  elementsOf,
  entriesOf,
  inList,
  isOther,
  jsonField,
  numbersOf,
  rowsOf,
  thenJoin,
} from '../engine/dialect.ts'
import type { AuditEventTable } from '../store.table.ts'
import { contentText } from './audit-chain.ts'
import { inParts } from './in-parts.ts'

/*
 * Removes content from the history without breaking its verification (docs/decisions/erasure.md). A redacted event keeps actor, action, time and its
 * hash, which the next event contains; `before`, `after`, the reason and the salt are set to null, and the hash of the content stays with the redaction. The erasure itself is an event of the same chain, with a
 * digest over the remainders of all events that it redacted. The content of an event therefore cannot be removed without a later event that records
 * the removal.
 */

/** Version of the hashed form. A later form gets the next number. */
const RESIDUE_FORM = 1
/** Version of the form that ends in the id of an access token. Events without a token have the first form. */
const RESIDUE_FORM_OF_TOKENS = 2

type Residue = Omit<AuditEventTable, 'before_json' | 'after_json' | 'reason' | 'salt'>
export type RedactedEvent = { sequence: number; residue: string; contentHash: string | null }
/** The content of the audit event of an erasure. */
export type RedactionStatement = { events: number; digest: string }

/** Returns the SHA-256 over the remainder of an event: everything except the values and the reason. */
export function residueOf(event: Residue): string {
  return sha256(residueText(event))
}

export function residueText(event: Residue): string {
  const { token_id: tokenId } = event
  return JSON.stringify([
    tokenId === null ? RESIDUE_FORM : RESIDUE_FORM_OF_TOKENS,
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
    ...(tokenId === null ? [] : [tokenId]),
  ])
}

export function statementOf(events: readonly Pick<RedactedEvent, 'sequence' | 'residue'>[]): RedactionStatement {
  return {
    events: events.length,
    digest: sha256(JSON.stringify(events.map(({ sequence, residue }) => [sequence, residue]))),
  }
}

export type ToRedact = {
  /** every event in the activity of these businesses */
  businessIds: readonly string[]
  /** every event about these subjects */
  subjectIds: readonly string[]
  /** all events of these merges, including events of the other record, because a merge copies values from one record to the other */
  mergeIds: readonly string[]
  /** reversed merges into another record; its edits while merged can contain the erased record's values */
  carried: readonly { mergeId: string; survivorId: string }[]
}

/**
 * Finds the events whose content must be erased. Events without content, which were redacted before, are left out. Each part names its index, because
 * with a list SQLite would scan the tenant's chain.
 */
export async function findEventsToRedact(
  db: Kysely<Database>,
  tenantId: string,
  { businessIds, subjectIds, mergeIds, carried }: ToRedact,
): Promise<RedactedEvent[]> {
  return eventsAt(
    db,
    tenantId,
    sql`
      SELECT own.sequence FROM ${elementsOf(businessIds, 'one')}
        ${thenJoin} audit_events own ${byBusiness}
          ON own.tenant_id = ${tenantId} AND own.business_id = one.value
      UNION ${aboutSubjects(tenantId, [...businessIds, ...subjectIds])}
      UNION
      SELECT told.sequence FROM ${elementsOf(mergeIds, 'one')}
        ${thenJoin} merges m ON m.tenant_id = ${tenantId} AND m.id = one.value
        ${thenJoin} (SELECT 0 AS survives UNION ALL SELECT 1) side ON true
        ${thenJoin} audit_events told ${byBusiness}
          ON told.tenant_id = ${tenantId} AND told.business_id = CASE side.survives WHEN 1 THEN m.survivor_id ELSE m.loser_id END
        WHERE told.action IN ('matching.merge', 'matching.reverse') AND ${mergeOf('told')} = m.id
      UNION
      SELECT within.sequence FROM (
        SELECT own.business_id AS id, min(own.sequence) AS since, max(own.sequence) AS until
        FROM ${rowsOf(carried, 'merge', { survivorId: 'text', mergeId: 'text' })} ${thenJoin} audit_events own ${byBusiness}
          ON own.tenant_id = ${tenantId} AND own.business_id = merge."survivorId"
        WHERE own.action IN ('matching.merge', 'matching.reverse') AND ${mergeOf('own')} = merge."mergeId"
        GROUP BY merge.key, own.business_id) span
        ${thenJoin} audit_events within ${byBusiness}
          ON within.tenant_id = ${tenantId} AND within.business_id = span.id AND within.sequence BETWEEN span.since AND span.until
        WHERE within.action IN ('business.edit', 'matching.merge', 'matching.reverse')`,
    sql`e.before_json IS NOT NULL OR e.after_json IS NOT NULL OR e.reason IS NOT NULL`,
  )
}

const byBusiness = alongIndex('audit_events_by_business')

/** Reads the id of the merge from an event of a merge or of its reversal. */
function mergeOf(event: string): RawBuilder<string> {
  return jsonField<string>(sql.ref(`${event}.after_json`), 'mergeId')
}

/** Selects the sequences of events about these subjects, except those that are listed in the activity of the subject itself. */
function aboutSubjects(tenantId: string, subjectIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    SELECT DISTINCT about.sequence FROM ${elementsOf(subjectIds, 'one')}
      ${thenJoin} audit_events about ${alongIndex('audit_events_by_subject')}
        ON about.tenant_id = ${tenantId} AND about.subject_id = one.value
          AND ${isOther(sql.ref('about.subject_id'), sql.ref('about.business_id'))}`
}

/** Finds the events that requested these reports and exports, if they still have content. */
export async function findRequestsToRedact(
  db: Kysely<Database>,
  tenantId: string,
  subjectIds: readonly string[],
): Promise<RedactedEvent[]> {
  return eventsAt(
    db,
    tenantId,
    aboutSubjects(tenantId, subjectIds),
    sql`e.action IN ('report.request', 'export.request') AND e.after_json IS NOT NULL`,
  )
}

/** Returns the events at these sequences. `places`: a query that selects each sequence once, in order. */
async function eventsAt(
  db: Kysely<Database>,
  tenantId: string,
  places: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<RedactedEvent[]> {
  const { rows } = await sql<{ sequence: number }>`
    SELECT sequence FROM (${places}) AS found ORDER BY sequence`.execute(db)
  const events: RedactedEvent[] = []
  for await (const list of inParts(rows.map(({ sequence }) => sequence))) {
    const { rows: found } = await sql<AuditEventTable>`
      SELECT e.*
      FROM ${numbersOf(sql.val(list), 'place')} ${thenJoin} audit_events e ON e.tenant_id = ${tenantId} AND e.sequence = place.value
      WHERE ${condition}`.execute(db)
    for (const row of found)
      events.push({
        sequence: row.sequence,
        residue: residueOf(row),
        contentHash: row.salt === null ? null : sha256(contentText(row)),
      })
  }
  return events
}

/** Returns every value that these events contain for these fields, before or after the change. */
export async function valuesTold(
  db: Kysely<Database>,
  tenantId: string,
  events: readonly RedactedEvent[],
  fields: readonly string[],
): Promise<string[]> {
  const values = new Set<string>()
  for await (const list of inParts(events.map(({ sequence }) => sequence))) {
    const toldIn = (column: 'before_json' | 'after_json') => sql`
      SELECT told.value FROM ${numbersOf(sql.val(list), 'event')}
        ${thenJoin} audit_events a ON a.tenant_id = ${tenantId} AND a.sequence = event.value
        ${thenJoin} ${entriesOf(sql.ref(`a.${column}`), 'told')} ON told.type = 'text' AND told.key IN ${inList(fields)}`
    const { rows } = await sql<{ value: string }>`${toldIn('before_json')} UNION ${toldIn('after_json')}`.execute(db)
    for (const { value } of rows) values.add(value)
  }
  return [...values]
}

/** Removes the content of these events. Must run in the transaction of the event `eventId`, which records the redaction. */
export async function redactEvents(
  db: Kysely<Database>,
  tenantId: string,
  eventId: string,
  events: readonly RedactedEvent[],
): Promise<void> {
  for await (const list of inParts(events)) {
    await sql`
      INSERT INTO audit_redactions (tenant_id, sequence, event_id, residue, content_hash)
      SELECT ${tenantId}, one.sequence, ${eventId}, one.residue, one."contentHash"
      FROM ${rowsOf(sql.val(list), 'one', { sequence: 'integer', residue: 'text', contentHash: 'text' })}`.execute(db)
    await sql`
      UPDATE audit_events SET before_json = NULL, after_json = NULL, reason = NULL, salt = NULL
      WHERE tenant_id = ${tenantId} AND sequence IN (
        SELECT one.sequence FROM ${rowsOf(sql.val(list), 'one', { sequence: 'integer' })})`.execute(db)
  }
}
