import { type Kysely, sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { inList, rowsOf } from '../../../store/engine/dialect.ts'
import { preparedWrite } from '../../../store/engine/prepared.ts'
import type { MatchCause } from '../contact-gate.table.ts'

/*
 * Matches: rows that connect a business with a suppression entry that matches it. Only `businesses/blocks/` calls these functions. It marks the
 * business first, because the database refuses an active match with an unmarked business.
 */

/** Number of records per statement. Between two statements the event loop serves requests. */
export const MATCHED_AT_ONCE = 100

/** Inserts active matches of one entry in the given order. An existing match is not changed. Returns the number of new matches. */
export async function insertMatches(
  tx: Tx,
  {
    suppressionId,
    at,
    records,
  }: { suppressionId: string; at: string; records: readonly { id: string; cause: MatchCause }[] },
): Promise<number> {
  return insertRecords(tx.db, { tenantId: tx.actor.tenantId, suppressionId, at, records: JSON.stringify(records) })
}

const insertRecords = preparedWrite<{ tenantId: string; suppressionId: string; at: string; records: string }>()(
  (_db, param) => {
    return sql`
      INSERT INTO suppression_matches (tenant_id, suppression_id, business_id, at, cause, live)
      SELECT ${param('tenantId')}, ${param('suppressionId')}, record.id, ${param('at')}, record.cause, 1
      FROM ${rowsOf(param('records'), 'record', { id: 'text', cause: 'text' })} WHERE true ORDER BY record.key ON CONFLICT DO NOTHING`
  },
)

/** Returns the active matches of a business: the entries and the times of the matches. */
export async function liveMatchesOf(
  db: Kysely<Database>,
  tenantId: string,
  businessId: string,
): Promise<{ suppressionId: string; at: string }[]> {
  return db
    .selectFrom('suppression_matches')
    .select(['suppression_id as suppressionId', 'at'])
    .where('tenant_id', '=', tenantId)
    .where('business_id', '=', businessId)
    .where('live', '=', 1)
    .orderBy('suppression_id')
    .execute()
}

/** Ends all matches of an ended entry. Yields the ids of their businesses in batches of limited size. */
export async function* endMatches(tx: Tx, suppressionId: string): AsyncGenerator<string[]> {
  const { tenantId } = tx.actor
  const breathe = createBreather()
  let after = ''
  for (;;) {
    const rows = await tx.db
      .selectFrom('suppression_matches')
      .select('business_id')
      .where('tenant_id', '=', tenantId)
      .where('suppression_id', '=', suppressionId)
      .where('business_id', '>', after)
      .orderBy('business_id')
      .limit(MATCHED_AT_ONCE)
      .execute()
    const businessIds = rows.map((row) => row.business_id)
    await sql`
      UPDATE suppression_matches SET live = 0
      WHERE tenant_id = ${tenantId} AND suppression_id = ${suppressionId}
        AND business_id IN ${inList(businessIds)}`.execute(tx.db)
    yield businessIds
    after = rows.at(-1)?.business_id ?? ''
    if (rows.length < MATCHED_AT_ONCE) return
    await breathe()
  }
}
