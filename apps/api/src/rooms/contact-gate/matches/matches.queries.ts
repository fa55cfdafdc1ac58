import { type Kysely, sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Database } from '../../../store/database.ts'
import { elementsOf, inList, jsonField } from '../../../store/engine/dialect.ts'
import type { MatchCause } from '../contact-gate.table.ts'

/*
 * The rows that tie a business to the suppression entries that match it. Only `businesses/blocks/` calls these functions: it marks the
 * business first, because the database refuses a live match of a business that is not marked.
 */

/** Records of one statement; between two statements the event loop serves other requests. */
export const MATCHED_AT_ONCE = 100

/** Inserts live matches of one entry in the given order. A match that exists stays as it is. Returns the number of new ones. */
export async function insertMatches(
  tx: Tx,
  {
    suppressionId,
    at,
    records,
  }: { suppressionId: string; at: string; records: readonly { id: string; cause: MatchCause }[] },
): Promise<number> {
  const value = sql.ref('value')
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO suppression_matches (tenant_id, suppression_id, business_id, at, cause, live)
    SELECT ${tx.actor.tenantId}, ${suppressionId}, ${jsonField(value, 'id')}, ${at}, ${jsonField(value, 'cause')}, 1
    FROM ${elementsOf(records, 'record')} WHERE true ORDER BY key ON CONFLICT DO NOTHING`.execute(tx.db)
  return Number(numAffectedRows)
}

/** The live matches of a business: which entries, and since when. */
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

/** Ends all matches of an entry that has ended. Yields the businesses whose matches it ended, a bounded number at a time. */
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
