import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex, flag, isOther } from '../../../store/engine/dialect.ts'
import type { Entry, EntryEvent } from './integrity.rules.ts'

const isActive = flag(sql`s.status = 'active'`)

const ENTRIES_PER_QUERY = 200
/** Maximum number of missing suppression entries that are counted. */
const MAX_MISSING = 1_000

/**
 * Returns a page of suppression entries after `after`. Each has flags for contradictions of its status, and the last event that added or ended it.
 */
export async function readEntries(db: Db, tenantId: string, after: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    SELECT s.id, s.status,
      ${flag(sql`EXISTS (SELECT 1 FROM suppression_keys k WHERE k.tenant_id = s.tenant_id AND k.suppression_id = s.id)`)} AS "hasKeys",
      ${flag(sql`EXISTS (SELECT 1 FROM suppression_keys k WHERE k.tenant_id = s.tenant_id AND k.suppression_id = s.id
        AND k.live <> ${isActive})`)} AS "hasStrayKey",
      (SELECT m.business_id FROM suppression_matches m WHERE m.tenant_id = s.tenant_id AND m.suppression_id = s.id
        AND m.live <> ${isActive} LIMIT 1) AS "strayMatch",
      e.sequence AS "eventSequence", e.action AS "eventAction", e.at AS "eventAt"
    FROM suppressions s LEFT JOIN audit_events e ON e.tenant_id = s.tenant_id
      AND e.sequence = (SELECT a.sequence FROM audit_events a ${alongIndex('audit_events_by_subject')}
        WHERE a.tenant_id = s.tenant_id AND a.subject_id = s.id AND ${isOther(sql.ref('a.subject_id'), sql.ref('a.business_id'))}
          AND a.action IN ('suppression.add', 'suppression.keep_tombstone', 'suppression.remove')
        ORDER BY a.sequence DESC LIMIT 1)
    WHERE s.tenant_id = ${tenantId} AND s.id > ${after} ORDER BY s.id LIMIT ${sql.lit(ENTRIES_PER_QUERY)}`.execute(db)
  return rows
}

/** Returns events that added a suppression entry which no longer exists. */
export async function readMissingEntries(db: Db, tenantId: string): Promise<EntryEvent[]> {
  const { rows } = await sql<EntryEvent>`
    SELECT e.sequence, e.at, e.subject_id AS id FROM audit_events e ${alongIndex('audit_events_by_subject_type')}
    WHERE e.tenant_id = ${tenantId} AND e.subject_type = 'suppression' AND e.subject_type <> 'business'
      AND e.action IN ('suppression.add', 'suppression.keep_tombstone')
      AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.tenant_id = e.tenant_id AND s.id = e.subject_id)
    LIMIT ${sql.lit(MAX_MISSING)}`.execute(db)
  return rows
}
