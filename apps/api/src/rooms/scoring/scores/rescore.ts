import { sql } from 'kysely'
import { newId } from '../../../lib/ids.ts'
import { keysOf } from '../../../lib/keys-of.ts'
import { bandId, NO_RANK, NOT_SCORED } from '../../../lib/score-codes.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Db } from '../../../store/database.ts'
import type { Store } from '../../../store/store.ts'
import { needsOf, readRecords } from '../records/read-records.ts'
import type { Content } from '../rules/content.ts'
import type { Evaluator } from '../rules/evaluate.rules.ts'
import type { ActiveGeneration } from '../runs/runs.queries.ts'
import type { ScoreHistoryTable, ScoreTable } from '../scoring.table.ts'
import { notScored, type StoredResult, storedOf } from './stored-result.ts'

/** The active generation with its compiled content. */
export type Rescorer = { active: ActiveGeneration; content: Content; evaluator: Evaluator }

/**
 * Re-scores the given records of the tenant in one commit. Skips a record that became do not contact or inactive since it was read, because the
 * transaction of that change updates the score. Stores every change of priority or eligibility.
 */
export async function rescore(
  store: Store,
  { active, content, evaluator }: Rescorer,
  ids: readonly string[],
  cause: ScoreHistoryTable['cause'],
): Promise<void> {
  if (ids.length === 0) return
  const { tenantId } = active
  const now = store.clock()
  const results = new Map<string, StoredResult>()
  const records = await readRecords(store.reader, tenantId, ids, needsOf(content), (id) => results.set(id, notScored))
  for (const record of records) {
    const isBlocked = record.isDoNotContact || record.isMatched
    try {
      results.set(record.id, storedOf(evaluator.evaluate({ ...record, isDoNotContact: isBlocked }, now.getTime())))
    } catch {
      results.set(record.id, notScored)
    }
  }
  await writeDerived(store, tenantId, async (db) => {
    const states = await recordStatesOf(db, tenantId, ids)
    const stored = await storedRows(db, active, ids)
    for (const id of ids) {
      const known = stored.get(id)
      const { isActive = false, isBlocked = false } = states.get(id) ?? {}
      if (!isActive) {
        if (known !== undefined) await removeScore(db, active, id)
        continue
      }
      const result = results.get(id)
      if (result === undefined || (isBlocked && result.low >= 0)) continue
      await writeScore(db, active, { id, known, result, scoredAt: now.getTime() })
      await recordChange(db, active, { id, known, result, cause, at: now.toISOString() })
    }
  })
}

async function recordStatesOf(db: Db, tenantId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'status', 'do_not_contact'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [row.id, { isActive: row.status === 'active', isBlocked: row.do_not_contact === 1 }]),
  )
}

type Key = Pick<ActiveGeneration, 'tenant' | 'number' | 'tenantId'>

async function storedRows(db: Db, { tenant, number }: Key, ids: readonly string[]): Promise<Map<string, ScoreTable>> {
  const rows = await db
    .selectFrom('scores')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('generation', '=', number)
    .where('business_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.business_id, row]))
}

async function removeScore(db: Db, { tenant, number }: Key, id: string): Promise<void> {
  await db
    .deleteFrom('scores')
    .where('tenant', '=', tenant)
    .where('generation', '=', number)
    .where('business_id', '=', id)
    .execute()
}

/**
 * SQL condition for a reviewed record that is not due for review, by the rows of the review room. The review room's trigger maintains this value for
 * visible scores. A run may have missed a review decision.
 */
function isReviewed(tenantId: string, id: string) {
  return sql<
    0 | 1
  >`EXISTS (SELECT 1 FROM review_states r WHERE r.tenant_id = ${tenantId} AND r.business_id = ${id} AND r.is_due = 0)`
}

type Written = { id: string; known: ScoreTable | undefined; result: StoredResult; scoredAt: number }

/**
 * Inserts or updates one score. Triggers maintain order, deadline and counts on updates only, so a record without a row first gets an unscored row.
 */
async function writeScore(db: Db, active: Key, { id, known, result, scoredAt }: Written): Promise<void> {
  const { tenant, number } = active
  const current = known ?? (await insertUnscored(db, active, id, scoredAt))
  const isSame = keysOf(result).every((column) => result[column] === current[column])
  await db
    .updateTable('scores')
    .set({ ...(isSame ? {} : result), scored_at: scoredAt, reviewed: isReviewed(active.tenantId, id) })
    .where('tenant', '=', tenant)
    .where('generation', '=', number)
    .where('business_id', '=', id)
    .execute()
}

async function insertUnscored(db: Db, { tenant, number }: Key, id: string, scoredAt: number): Promise<StoredResult> {
  const key = { tenant, generation: number, business_id: id }
  const { holds_until: _until, ...cell } = notScored
  await db
    .insertInto('scores')
    .values({ ...key, ...notScored, reviewed: 0, scored_at: scoredAt })
    .execute()
  const { eligibility, priority, reachable, low } = cell
  await db
    .insertInto('score_order')
    .values({ ...key, reviewed: 0, eligibility, rank: NO_RANK, tie_rank: 0, priority, reachable })
    .execute()
  await db
    .insertInto('score_counts')
    .values({ tenant, generation: number, eligibility, priority, reachable, low, count: 1 })
    .onConflict((conflict) => conflict.doUpdateSet({ count: sql<number>`count + 1` }))
    .execute()
  return notScored
}

type Changed = {
  id: string
  known: ScoreTable | undefined
  result: StoredResult
  cause: ScoreHistoryTable['cause']
  at: string
}

async function recordChange(
  db: Db,
  active: ActiveGeneration,
  { id, known, result, cause, at }: Changed,
): Promise<void> {
  const before = known ?? notScored
  if (before.eligibility === result.eligibility && before.priority === result.priority) return
  if (known === undefined && result.eligibility === NOT_SCORED) return
  await db
    .insertInto('score_history')
    .values({
      tenant_id: active.tenantId,
      business_id: id,
      id: newId(),
      at,
      run_id: active.runId,
      cause,
      from_eligibility: before.eligibility,
      to_eligibility: result.eligibility,
      from_priority: bandId(active.bands, before.priority),
      to_priority: bandId(active.bands, result.priority),
      from_low: before.low,
      to_low: result.low,
    })
    .execute()
}
