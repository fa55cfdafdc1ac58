import { sql } from 'kysely'
import { eligibilities, NOT_SCORED } from '../../../lib/score-codes.ts'
import type { Db } from '../../../store/database.ts'
import type { ScoreChange } from './scores.schema.ts'

type Wanted = { tenantId: string; businessId: string; before: { at: string; id: string } | undefined; limit: number }

type Sides = {
  from_eligibility: number
  to_eligibility: number
  from_priority: string | null
  to_priority: string | null
  from_low: number
  to_low: number
}

function side(eligibility: number, priority: string | null, low: number): ScoreChange['from'] {
  if (eligibility === NOT_SCORED) return null
  return { eligibility: eligibilities[eligibility] ?? 'not_scored', priority, low: low < 0 ? null : low }
}

/** Returns changes of one record's result that were stored while a version was active. */
export async function selectHistory(db: Db, { tenantId, businessId, before, limit }: Wanted): Promise<ScoreChange[]> {
  const rows = await db
    .selectFrom('score_history as h')
    .innerJoin('scoring_runs as r', (join) =>
      join.onRef('r.tenant_id', '=', 'h.tenant_id').onRef('r.id', '=', 'h.run_id'),
    )
    .selectAll('h')
    .select(['r.rule_set_id', 'r.number'])
    .where('h.tenant_id', '=', tenantId)
    .where('h.business_id', '=', businessId)
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(h.at, h.id) < (${before?.at ?? ''}, ${before?.id ?? ''})`),
    )
    .orderBy('h.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    cause: row.cause,
    reason: null,
    ruleSetId: row.rule_set_id,
    version: row.number,
    runId: row.run_id,
    from: side(row.from_eligibility, row.from_priority, row.from_low),
    to: side(row.to_eligibility, row.to_priority, row.to_low),
  }))
}

type SwitchRow = {
  id: string
  at: string
  reason: string
  run_id: string
  replaced_run_id: string | null
  rule_set_id: string
  number: number
  compared_with: string | null
  generation: number
  replaced_generation: number | null
  replaced_compared_with: string | null
}

/**
 * Returns the changes of one record's result that a switch of the active scores caused, since the record was created. A run stores result changes
 * relative to the run that was active when it ended; a rollback reverses the same changes. Omits a switch that is known to have changed nothing for
 * the record.
 */
export async function selectActivations(
  db: Db,
  wanted: Wanted & { tenant: number; since: string },
): Promise<ScoreChange[]> {
  const { tenantId, businessId, tenant, since, before, limit } = wanted
  const { rows } = await sql<SwitchRow>`
    SELECT a.id, a.at, a.reason, a.run_id, a.replaced_run_id, r.rule_set_id, r.number, g.compared_with, g.number AS generation,
           o.number AS replaced_generation, o.compared_with AS replaced_compared_with
    FROM scoring_activations AS a
    JOIN scoring_runs AS r ON r.tenant_id = a.tenant_id AND r.id = a.run_id
    JOIN score_generations AS g ON g.number = r.generation
    LEFT JOIN scoring_runs AS p ON p.tenant_id = a.tenant_id AND p.id = a.replaced_run_id
    LEFT JOIN score_generations AS o ON o.number = p.generation
    WHERE a.tenant_id = ${tenantId} AND a.at >= ${since}
      AND (${before === undefined ? 1 : 0} = 1 OR (a.at, a.id) < (${before?.at ?? ''}, ${before?.id ?? ''}))
    ORDER BY a.id DESC LIMIT ${limit}`.execute(db)
  const found: ScoreChange[] = []
  for (const row of rows) {
    const sides = await sidesOf(db, tenant, businessId, row)
    if (sides === undefined) continue
    const { id, at, reason, rule_set_id: ruleSetId, number: version, run_id: runId } = row
    found.push({ id, at, cause: 'activation', reason, ruleSetId, version, runId, ...sides })
  }
  return found
}

/** Returns the result before and after a switch; undefined if it did not change. */
async function sidesOf(
  db: Db,
  tenant: number,
  businessId: string,
  row: SwitchRow,
): Promise<Pick<ScoreChange, 'from' | 'to'> | undefined> {
  if (row.replaced_run_id !== null && row.compared_with === row.replaced_run_id) {
    const move = await findMove(db, tenant, row.generation, businessId)
    return (
      move && {
        from: side(move.from_eligibility, move.from_priority, move.from_low),
        to: side(move.to_eligibility, move.to_priority, move.to_low),
      }
    )
  }
  if (row.replaced_generation !== null && row.replaced_compared_with === row.run_id) {
    const move = await findMove(db, tenant, row.replaced_generation, businessId)
    return (
      move && {
        from: side(move.to_eligibility, move.to_priority, move.to_low),
        to: side(move.from_eligibility, move.from_priority, move.from_low),
      }
    )
  }
  return { from: null, to: null }
}

async function findMove(db: Db, tenant: number, generation: number, businessId: string): Promise<Sides | undefined> {
  return db
    .selectFrom('score_moves')
    .select(['from_eligibility', 'to_eligibility', 'from_priority', 'to_priority', 'from_low', 'to_low'])
    .where('tenant', '=', tenant)
    .where('generation', '=', generation)
    .where('business_id', '=', businessId)
    .executeTakeFirst()
}
