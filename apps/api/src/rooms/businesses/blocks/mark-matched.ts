import { sql } from 'kysely'
import type { Tx } from '../../../store/change/change.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import { type GateMatch, insertMatches, type MatchCause } from '../../contact-gate/contact-gate.ts'
import { MAX_FAMILY } from '../family/max-family.ts'
import { type BlockColumns, MATCHED_REASON, markedBy, markRows, unblocked } from './block-rows.ts'

/*
 * Marks a business **Do not contact** for the suppression entries that match its values. Every record that the business was merged into is marked
 * too. The database rejects a live match on a record without a mark, and a mark that is missing on a survivor.
 */

/** Returns the block columns of a business that is about to be inserted. */
export function blockOfNew(tx: Tx, matches: readonly GateMatch[]): BlockColumns {
  return matches.length === 0 ? unblocked : markedBy(tx)
}

/** Inserts the suppression matches of a business that was inserted with `blockOfNew`, and records the event. */
export async function markNew(tx: Tx, id: string, matches: readonly GateMatch[]): Promise<void> {
  if (matches.length === 0) return
  for (const suppressionId of entriesOf(matches))
    await insertMatches(tx, { suppressionId, at: tx.at, records: [{ id, cause: 'record' }] })
  await recordMark(tx, id, entriesOf(matches))
}

/** Marks a business whose values were just written. Records an event for each record that was not blocked before, survivors first. */
export async function markMatched(tx: Tx, id: string, matches: readonly GateMatch[]): Promise<void> {
  const blocked = await markForMatches(tx, id, matches, 'record')
  for (const one of blocked) if (one !== id) await recordCarriedMark(tx, one, id)
  if (blocked.includes(id)) await recordMark(tx, id, entriesOf(matches))
}

/**
 * Marks a business within a job step, which records one event for all of its records. Returns the number of records that were not blocked before,
 * including survivors.
 */
export async function markInStep(tx: Tx, id: string, matches: readonly GateMatch[]): Promise<number> {
  return (await markForMatches(tx, id, matches, 'reevaluation')).length
}

/**
 * Marks a business and its survivors without recording an event. Returns the records that were not blocked before: the business itself, then its
 * survivors, nearest first.
 */
export async function markForMatches(
  tx: Tx,
  id: string,
  matches: readonly GateMatch[],
  cause: MatchCause,
): Promise<string[]> {
  const blocked = new Set<string>()
  let records: string[] = []
  for (const suppressionId of entriesOf(matches)) {
    const marked = await markForEntry(tx, { suppressionId, businessIds: [id], cause })
    records = marked.records
    for (const one of marked.blocked) blocked.add(one)
  }
  return records.toReversed().filter((one) => blocked.has(one))
}

/**
 * Marks businesses, and every record that they were merged into, for one suppression entry, without recording an event. Returns all marked records,
 * each survivor before the records merged into it; the number of new matches; and the records that were not blocked before.
 */
export async function markForEntry(
  tx: Tx,
  { suppressionId, businessIds, cause }: { suppressionId: string; businessIds: readonly string[]; cause: MatchCause },
): Promise<{ records: string[]; matched: number; blocked: string[] }> {
  const records = await withSurvivors(tx, businessIds)
  const blocked = await markRows(tx, records, { suppressionId, at: tx.at })
  const found = new Set(businessIds)
  const causes = records.map((id) => ({ id, cause: found.has(id) ? cause : ('merge' as const) }))
  return { records, matched: await insertMatches(tx, { suppressionId, at: tx.at, records: causes }), blocked }
}

/** Returns the given businesses and every record that they were merged into, each survivor before the records merged into it. */
async function withSurvivors(tx: Tx, businessIds: readonly string[]): Promise<string[]> {
  const rows = await survivorsOf(tx.db, { tenantId: tx.actor.tenantId, ids: JSON.stringify(businessIds) })
  return rows.map(({ id }) => id)
}

const survivorsOf = prepared<{ tenantId: string; ids: string }>()(
  (_db, param) => sql<{ id: string }>`
    WITH RECURSIVE found (id, depth) AS (
      SELECT value, 0 FROM ${elementsOf(param('ids'), 'one')}
      UNION
      SELECT b.merged_into, depth + 1 FROM found ${thenJoin} businesses b ON b.tenant_id = ${param('tenantId')} AND b.id = found.id
      WHERE b.merged_into IS NOT NULL AND depth < ${sql.lit(MAX_FAMILY)})
    SELECT id FROM found GROUP BY id ORDER BY max(depth) DESC`,
)

function entriesOf(matches: readonly GateMatch[]): string[] {
  return [...new Set(matches.map(({ suppressionId }) => suppressionId))]
}

async function recordMark(tx: Tx, id: string, suppressions: readonly string[]): Promise<void> {
  await tx.record({
    action: 'business.match_suppression',
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: false },
    after: { doNotContact: true, suppressions },
    reason: MATCHED_REASON,
  })
}

/** Records that a record was marked because a record merged into it is marked. */
export async function recordCarriedMark(tx: Tx, id: string, from: string): Promise<void> {
  await tx.record({
    action: 'business.match_suppression',
    subject: { type: 'business', id },
    businessId: id,
    before: { doNotContact: false },
    after: { doNotContact: true, carriedFrom: from },
    reason: MATCHED_REASON,
  })
}
