import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { alongIndex, flag } from '../../../store/engine/dialect.ts'
import type { BlockEvent, Mark } from './integrity.rules.ts'

const ROWS_PER_QUERY = 500

export async function countRecords(db: Db, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('businesses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Returns the do not contact marks of a page of records after `after`. The last event is read for marked records only, because most records are
 * unmarked and have many events.
 */
export async function readMarks(db: Db, tenantId: string, after: string): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    SELECT b.id, b.do_not_contact AS "isMarked", b.blocked_through AS through, b.merged_into AS "mergedInto",
      (SELECT m.suppression_id FROM suppression_matches m
        WHERE m.tenant_id = b.tenant_id AND m.business_id = b.id AND m.live = 1 LIMIT 1) AS "heldBy",
      CASE WHEN b.merged_into IS NOT NULL THEN (SELECT m.suppression_id FROM suppression_matches m
        WHERE m.tenant_id = b.tenant_id AND m.business_id = b.id AND m.live = 1 AND NOT EXISTS (SELECT 1 FROM suppression_matches o
          WHERE o.tenant_id = m.tenant_id AND o.suppression_id = m.suppression_id AND o.business_id = b.merged_into AND o.live = 1)
        LIMIT 1) END AS "notCarried",
      e.sequence AS "eventSequence", e.action AS "eventAction", e.at AS "eventAt"
    FROM businesses b LEFT JOIN audit_events e ON e.tenant_id = b.tenant_id AND b.do_not_contact = 1
      AND e.sequence = (SELECT a.sequence FROM audit_events a ${alongIndex('audit_events_by_business')}
        WHERE a.tenant_id = b.tenant_id AND a.business_id = b.id AND a.action IN ('business.block', 'business.unblock')
        ORDER BY a.sequence DESC LIMIT 1)
    WHERE b.tenant_id = ${tenantId} AND b.id > ${after} ORDER BY b.id LIMIT ${sql.lit(ROWS_PER_QUERY)}`.execute(db)
  return rows
}

/** Returns a page of events after `last` that blocked a record manually, in the order of their index. */
export async function readBlocks(db: Db, tenantId: string, last: BlockEvent | undefined): Promise<BlockEvent[]> {
  const { rows } = await sql<BlockEvent>`
    SELECT e.at, e.sequence, e.business_id AS "businessId", ${flag(sql`b.id IS NOT NULL`)} AS "isThere",
      ${flag(sql`b.do_not_contact = 1 AND b.blocked_through <> 'suppression'`)} AS "isByHand",
      ${flag(sql`EXISTS (SELECT 1 FROM audit_events u ${alongIndex('audit_events_by_business')}
        WHERE u.tenant_id = e.tenant_id AND u.business_id = e.business_id AND u.sequence > e.sequence
          AND u.action = 'business.unblock')`)} AS "isLifted"
    FROM audit_events e ${alongIndex('audit_events_by_action')}
      LEFT JOIN businesses b ON b.tenant_id = e.tenant_id AND b.id = e.business_id
    WHERE e.tenant_id = ${tenantId} AND e.action = 'business.block'
      AND (e.at, e.sequence) > (${last?.at ?? ''}, ${last?.sequence ?? 0})
    ORDER BY e.at, e.sequence LIMIT ${sql.lit(ROWS_PER_QUERY)}`.execute(db)
  return rows
}
