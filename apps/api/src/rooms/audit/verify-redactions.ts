import { sql } from 'kysely'
import { z } from 'zod'
import { sha256 } from '../../lib/hashing.ts'
import { auditEventHash, linkText } from '../../store/change/audit-chain.ts'
import { residueOf, statementOf } from '../../store/change/audit-redaction.ts'
import type { Db } from '../../store/database.ts'
import { alongIndex } from '../../store/engine/dialect.ts'
import { jsonColumn } from '../../store/json-column.ts'
import type { AuditEventTable } from '../../store/store.table.ts'
import { findEventRow } from './audit.queries.ts'

/**
 * A stored event with the id of the erasure event that removed its content, and the hashes of the remainder and of the content at that time. All are
 * null if it has its content; the hash of the content also for events from before links were hashed.
 */
export type EventWithRedaction = AuditEventTable & {
  redacted_by: string | null
  residue: string | null
  content_hash: string | null
}
export type Redaction = 'as stated' | 'otherwise'

/**
 * Returns a function that checks an event without content. The event's remainder must be the one that an erasure of the same chain recorded. The
 * erasure's own event must be unaltered and contain the digest over all events that it redacted. Returns undefined for an event with content.
 */
export function createRedactionCheck(
  db: Db,
  tenantId: string,
): (event: EventWithRedaction) => Promise<Redaction | undefined> {
  /** results by id of the erasure event */
  const stated = new Map<string, boolean>()
  const isStatedOnce = async (eventId: string) => {
    const known = stated.get(eventId) ?? (await isStated(db, tenantId, eventId))
    stated.set(eventId, known)
    return known
  }
  return async (event) => {
    const { redacted_by: eventId, residue } = event
    if (eventId === null) return undefined
    const isLeft = isEmpty(event) && residueOf(event) === residue && isLinked(event)
    return isLeft && (await isStatedOnce(eventId)) ? 'as stated' : 'otherwise'
  }
}

function isEmpty({ before_json, after_json, reason, salt }: AuditEventTable): boolean {
  return before_json === null && after_json === null && reason === null && salt === null
}

function isLinked(event: EventWithRedaction): boolean {
  const { content_hash: contentHash, hash } = event
  return contentHash === null || sha256(linkText(event, contentHash)) === hash
}

/** The part of an erasure's event that states the number and the digest of the events it redacted. */
const readStatement = jsonColumn(z.object({ redacted: z.object({ events: z.int(), digest: z.string() }).optional() }))

async function isStated(db: Db, tenantId: string, eventId: string): Promise<boolean> {
  const event = await findEventRow(db, tenantId, eventId)
  if (event?.action !== 'business.erase' || event.after_json === null || event.hash !== auditEventHash(event))
    return false
  // Names the index, because SQLite underestimates the number of a tenant's redactions.
  const { rows } = await sql<{ sequence: number; residue: string }>`
    SELECT sequence, residue FROM audit_redactions ${alongIndex('audit_redactions_by_event')}
    WHERE tenant_id = ${tenantId} AND event_id = ${eventId} ORDER BY sequence`.execute(db)
  const { redacted } = readStatement(event.after_json)
  const { events, digest } = statementOf(rows)
  return redacted?.events === events && redacted.digest === digest
}
