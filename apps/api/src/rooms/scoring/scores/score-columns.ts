import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { BLOCKED, bandId, eligibilities, NO_BAND, NOT_SCORED } from '../../../lib/score-codes.ts'
import type { Db } from '../../../store/database.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { Score } from './score.schema.ts'

/*
 * Scores of records in lists. `lib/score-codes.ts` has the codes. Each complete recalculation stores its scores as a new generation. A record or an
 * export uses the generation that is active when its reading begins; a list uses the generation that was active when its first page was read.
 */

export type ActiveScores = {
  tenant: number
  generation: number
  runId: string
  ruleSetId: string
  version: number
  algorithmVersion: string
  bands: { id: string; name: string }[]
  /** numbers of the last audit event and change that the scores include, and of the newest ones */
  sequence: number
  changeNumber: number
  newestSequence: number
  newestChange: number
  /** re-scoring is paused until a recalculation */
  isPaused: boolean
}

type ActiveRow = Omit<ActiveScores, 'bands' | 'isPaused'> & { bands: string; paused: number }

const activeRow = prepared<{ tenantId: string }>()(
  (_db, param) => sql<ActiveRow>`
    SELECT t.number AS tenant, g.number AS generation, a.run_id AS "runId", g.rule_set_id AS "ruleSetId", g.rule_version AS version,
           g.algorithm_version AS "algorithmVersion", g.bands, g.sequence, g.change_number AS "changeNumber", g.paused,
           coalesce((SELECT e.sequence FROM audit_events e WHERE e.tenant_id = a.tenant_id ORDER BY e.sequence DESC LIMIT 1), 0) AS "newestSequence",
           coalesce((SELECT c.number FROM score_changes c WHERE c.tenant_id = a.tenant_id ORDER BY c.number DESC LIMIT 1), 0) AS "newestChange"
    FROM scoring_active AS a ${thenJoin} score_generations AS g ON g.number = a.generation ${thenJoin} tenants AS t ON t.id = a.tenant_id
    WHERE a.tenant_id = ${param('tenantId')}`,
)

const bandsSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** Returns the tenant's active scores; undefined before the first activation. */
export async function findActiveScores(db: Db, tenantId: string): Promise<ActiveScores | undefined> {
  const [row] = await activeRow(db, { tenantId })
  if (row === undefined) return undefined
  const { bands, paused, ...scores } = row
  return { ...scores, bands: bandsSchema.parse(JSON.parse(bands)), isPaused: paused === 1 }
}

/** Returns true if these scores still exist. They are kept for a while after others are activated. */
export async function areKept(db: Db, { generation }: ActiveScores): Promise<boolean> {
  const row = await db
    .selectFrom('score_generations')
    .select('state')
    .where('number', '=', generation)
    .executeTakeFirst()
  return row?.state === 'ready'
}

/** Returns true if a change may not be included in the scores yet. */
export function isBehind({ sequence, changeNumber, newestSequence, newestChange }: ActiveScores): boolean {
  return sequence < newestSequence || changeNumber < newestChange
}

/** Returns the records that have changed, or whose merged records have changed, after the last change that the scores include. */
export async function findWaiting(
  db: Db,
  tenantId: string,
  scores: ActiveScores,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0 || !isBehind(scores)) return new Set()
  const { sequence, changeNumber } = scores
  const { rows } = await sql<{ id: string }>`
    WITH asked (id, member) AS (
      SELECT value, value FROM ${elementsOf(ids, 'record')}
      UNION ALL
      SELECT m.merged_into, m.id FROM ${elementsOf(ids, 'root')}
        ${thenJoin} businesses AS m ON m.tenant_id = ${tenantId} AND m.merged_into = root.value
    )
    SELECT DISTINCT asked.id FROM asked
    WHERE EXISTS (SELECT 1 FROM audit_events e WHERE e.tenant_id = ${tenantId} AND e.business_id = asked.member AND e.sequence > ${sequence})
       OR EXISTS (SELECT 1 FROM score_changes c WHERE c.tenant_id = ${tenantId} AND c.business_id = asked.member AND c.number > ${changeNumber})`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Columns of a joined row of `scores`; all null if the record has no score. */
export type ScoreColumns = {
  score_eligibility: number | null
  score_low: number | null
  score_high: number | null
  score_priority: number | null
  score_reachable: number | null
  score_completeness: number | null
  score_at: number | null
  score_until: number | null
}

const scoreColumns = sql`sc.eligibility AS score_eligibility, sc.low AS score_low, sc.high AS score_high, sc.priority AS score_priority,
  sc.reachable AS score_reachable, sc.completeness AS score_completeness, sc.scored_at AS score_at, sc.holds_until AS score_until`

const noScoreColumns = sql`NULL AS score_eligibility, NULL AS score_low, NULL AS score_high, NULL AS score_priority, NULL AS score_reachable,
  NULL AS score_completeness, NULL AS score_at, NULL AS score_until`

/** Returns the columns of the active scores, and the join that adds them to `businesses AS b`. */
export function withScores(scores: ActiveScores | undefined): {
  columns: RawBuilder<unknown>
  join: RawBuilder<unknown>
} {
  if (scores === undefined) return { columns: noScoreColumns, join: sql`` }
  const { tenant, generation } = scores
  return {
    columns: scoreColumns,
    join: sql`LEFT JOIN scores AS sc ON sc.tenant = ${tenant} AND sc.generation = ${generation} AND sc.business_id = b.id`,
  }
}

type RecordState = { isBlocked: boolean; isActive: boolean; isWaiting: boolean; now: number }

/** Converts the score of a record to the form of a response. A do-not-contact record has no score, even if one is stored. */
export function toScore(columns: ScoreColumns, scores: ActiveScores | undefined, record: RecordState): Score {
  const none = { low: null, high: null, priority: null, reachable: null, completeness: null, holdsUntil: null }
  const named = {
    ruleSetId: scores?.ruleSetId ?? null,
    version: scores?.version ?? null,
    algorithmVersion: scores?.algorithmVersion ?? null,
    runId: scores?.runId ?? null,
    scoredAt: columns.score_at === null ? null : new Date(columns.score_at).toISOString(),
  }
  const { isBlocked, isActive, isWaiting, now } = record
  const { score_eligibility: eligibility } = columns
  if (scores === undefined) {
    return {
      status: 'not_scored',
      reason: 'no_active_scores',
      eligibility: isBlocked ? 'blocked' : null,
      ...none,
      ...named,
    }
  }
  if (isBlocked || eligibility === BLOCKED)
    return { status: 'blocked', reason: 'do_not_contact', eligibility: 'blocked', ...none, ...named }
  if (!isActive) return { status: 'not_scored', reason: 'record_ended', eligibility: null, ...none, ...named }
  if (eligibility === null || eligibility === NOT_SCORED) {
    const reason = eligibility === null ? 'new_record' : 'could_not_be_scored'
    return { status: 'not_scored', reason, eligibility: null, ...none, ...named }
  }
  const {
    score_low: low,
    score_high: high,
    score_priority: priority,
    score_reachable: reachable,
    score_until: until,
  } = columns
  const isOver = until !== null && until <= now
  const reason = isWaiting
    ? scores.isPaused
      ? 'recalculation_needed'
      : 'record_changed'
    : isOver
      ? 'time_passed'
      : null
  return {
    status: reason === null ? 'scored' : 'stale',
    reason,
    low,
    high,
    priority: bandId(scores.bands, priority ?? NO_BAND),
    reachable: bandId(scores.bands, reachable ?? NO_BAND),
    eligibility: eligibilities[eligibility] ?? null,
    completeness: (columns.score_completeness ?? 0) / 100,
    holdsUntil: until === null ? null : new Date(until).toISOString(),
    ...named,
  }
}

/** Returns the score columns of one record. */
export async function findScoreOf(db: Db, scores: ActiveScores, businessId: string): Promise<ScoreColumns> {
  const { tenant, generation } = scores
  const { rows } = await sql<ScoreColumns>`
    SELECT ${scoreColumns} FROM scores AS sc
    WHERE sc.tenant = ${tenant} AND sc.generation = ${generation} AND sc.business_id = ${businessId}`.execute(db)
  return rows[0] ?? nothingScored
}

const nothingScored: ScoreColumns = {
  score_eligibility: null,
  score_low: null,
  score_high: null,
  score_priority: null,
  score_reachable: null,
  score_completeness: null,
  score_at: null,
  score_until: null,
}
