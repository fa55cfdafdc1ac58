import { sql } from 'kysely'
import type { Outcome } from '../../lib/interaction-outcome.ts'
import type { Tx } from '../../store/change/change.ts'
import { thenJoin } from '../../store/engine/dialect.ts'
import { familyOf, MAX_FAMILY, setLastContact } from '../businesses/businesses.ts'

/*
 * Time and outcome of the last interaction and the open follow-up date, derived from the interactions of a record and of the records merged into it. Columns of the
 * record contain them, so that lists can filter and sort by them.
 */

type Latest = { occurred_at: string; outcome: Outcome; follow_up_on: string | null }

/**
 * Updates the time and the outcome of the last interaction and the open follow-up date of a record, and of every record that it was merged into. Version and
 * `updated_at` do not change, because an interaction is not an edit of the record.
 */
export async function refreshLastContact(tx: Tx, id: string): Promise<void> {
  const { tenantId } = tx.actor
  let one: string | null = id
  for (let step = 0; one !== null && step < MAX_FAMILY; step++) {
    const latest = await findLatest(tx, await familyOf(tx.db, tenantId, one))
    one = await setLastContact(tx, one, {
      at: latest?.occurred_at ?? null,
      outcome: latest?.outcome ?? null,
      followUpOn: latest?.follow_up_on ?? null,
    })
  }
}

/**
 * Returns the latest interaction that no other one corrects. Its follow-up date is null if that date was closed, here or on an interaction that it
 * corrects. Follow-up dates of earlier interactions no longer count.
 */
async function findLatest(tx: Tx, family: readonly string[]): Promise<Latest | undefined> {
  const { tenantId } = tx.actor
  let latest: (Latest & { id: string }) | undefined
  // Query each record separately, so that the index provides the order. One query for all records would have to sort.
  for (const businessId of family) {
    const { rows } = await sql<Latest & { id: string }>`
      SELECT i.id, i.occurred_at, i.outcome, i.follow_up_on FROM interactions AS i
      WHERE i.tenant_id = ${tenantId} AND i.business_id = ${businessId}
        AND NOT EXISTS (SELECT 1 FROM interactions later WHERE later.tenant_id = i.tenant_id AND later.corrects_id = i.id)
      ORDER BY i.occurred_at DESC, i.id DESC LIMIT 1`.execute(tx.db)
    const [found] = rows
    if (found !== undefined && (latest === undefined || isLater(found, latest))) latest = found
  }
  if (latest === undefined || latest.follow_up_on === null) return latest
  const closed = await sql<{ found: number }>`
    WITH RECURSIVE found (id) AS (
      SELECT ${latest.id}
      UNION
      SELECT i.corrects_id FROM found ${thenJoin} interactions AS i ON i.tenant_id = ${tenantId} AND i.id = found.id
      WHERE i.corrects_id IS NOT NULL)
    SELECT 1 AS found FROM found ${thenJoin} follow_up_closures AS c
      ON c.tenant_id = ${tenantId} AND c.interaction_id = found.id
    WHERE c.follow_up_on = ${latest.follow_up_on} LIMIT 1`.execute(tx.db)
  return closed.rows.length === 0 ? latest : { ...latest, follow_up_on: null }
}

function isLater(a: Latest & { id: string }, b: Latest & { id: string }): boolean {
  return a.occurred_at === b.occurred_at ? a.id > b.id : a.occurred_at > b.occurred_at
}
