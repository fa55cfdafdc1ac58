import { sql } from 'kysely'
import { z } from 'zod'
import { actorRef } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { Db } from '../../../store/database.ts'
import { type JobStatus, latestJob } from '../../jobs/jobs.ts'
import type { VersionKey } from '../rule-sets/rule-sets.queries.ts'
import { bandSchema } from '../rules/content.schema.ts'
import type { GenerationTable, RunTable } from '../scoring.table.ts'
import type { Cell } from './distribution.rules.ts'
import { type Run, storedCountsSchema, storedReadBackSchema } from './runs.schema.ts'

type Key = { tenantId: string; id: string }

/** Name of the follower of this room. */
export const followerName = 'scoring'

export async function insertRun(db: Db, row: RunTable): Promise<void> {
  await db.insertInto('scoring_runs').values(row).execute()
}

export async function updateRun(
  db: Db,
  { tenantId, id }: Key,
  columns: Partial<Omit<RunTable, 'tenant_id' | 'id'>>,
): Promise<void> {
  await db.updateTable('scoring_runs').set(columns).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

/** Selects runs, each with the status of its job's newest attempt and the state of its generation. */
function runs(db: Db, tenantId: string) {
  return db
    .selectFrom('scoring_runs as r')
    .leftJoin('users as u', 'u.id', 'r.created_by')
    .leftJoin('scoring_active as a', (join) =>
      join.onRef('a.tenant_id', '=', 'r.tenant_id').onRef('a.run_id', '=', 'r.id'),
    )
    .leftJoin('score_generations as g', 'g.number', 'r.generation')
    .selectAll('r')
    .select(['u.name as actor_name', 'a.run_id as active_id', 'g.state as generation_state'])
    .select([
      latestJob('r', 'id').as('attempt_id'),
      latestJob('r', 'status').as('job_status'),
      latestJob('r', 'error_message').as('job_error'),
      latestJob('r', 'ended_at').as('job_ended_at'),
    ])
    .where('r.tenant_id', '=', tenantId)
}

export type RunRow = RunTable & {
  actor_name: string | null
  active_id: string | null
  generation_state: GenerationTable['state'] | null
  attempt_id: string | null
  job_status: JobStatus | null
  job_error: string | null
  job_ended_at: string | null
}

/** Returns one run. Errors: `not_found`. */
export async function getRunRow(db: Db, { tenantId, id }: Key): Promise<RunRow> {
  return runs(db, tenantId).where('r.id', '=', id).executeTakeFirstOrThrow(notFound)
}

export async function getRun(db: Db, key: Key): Promise<Run> {
  return toRun(await getRunRow(db, key))
}

/** Returns a page of runs, newest first. */
export async function selectRuns(
  db: Db,
  { tenantId, before, limit }: { tenantId: string; before: string | undefined; limit: number },
): Promise<Run[]> {
  const rows = await runs(db, tenantId)
    .$if(before !== undefined, (query) => query.where('r.id', '<', before ?? ''))
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** Returns the status and end of a run. If the job ended before the run recorded its end, the run was cancelled or stopped for the job's reason. */
function endOf(row: RunRow): Pick<Run, 'status' | 'stoppedBecause' | 'endedAt'> {
  const own = { status: row.status, stoppedBecause: row.stopped_because, endedAt: row.ended_at }
  if (row.status !== 'queued' && row.status !== 'running') return own
  const endedAt = row.job_ended_at
  if (row.job_status === 'cancelled') return { status: 'cancelled', stoppedBecause: null, endedAt }
  if (row.job_status === 'failed') return { status: 'stopped', stoppedBecause: row.job_error, endedAt }
  return own
}

function toRun(row: RunRow): Run {
  return {
    id: row.id,
    ruleSetId: row.rule_set_id,
    version: row.number,
    contentHash: row.content_hash,
    algorithmVersion: row.algorithm_version,
    cutoff:
      row.cutoff_sequence === null || row.cutoff_at === null
        ? null
        : { sequence: row.cutoff_sequence, at: row.cutoff_at },
    actor: actorRef(row.created_by, row.actor_name),
    jobId: row.attempt_id ?? row.job_id,
    reason: row.reason,
    activate: row.activate,
    ...endOf(row),
    isActive: row.active_id !== null,
    isKept: row.generation_state === 'ready',
    activatedAt: row.activated_at,
    supersededAt: row.superseded_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    counts: row.counts === null ? null : storedCountsSchema.parse(JSON.parse(row.counts)),
    digest: row.digest,
    readBack: row.read_back === null ? null : storedReadBackSchema.parse(JSON.parse(row.read_back)),
  }
}

/** Returns true if the active scores were computed by this version. */
export async function isRunActive(db: Db, { tenantId, ruleSetId, number }: VersionKey): Promise<boolean> {
  const found = await db
    .selectFrom('scoring_active as a')
    .innerJoin('scoring_runs as r', (join) =>
      join.onRef('r.tenant_id', '=', 'a.tenant_id').onRef('r.id', '=', 'a.run_id'),
    )
    .select('r.id')
    .where('a.tenant_id', '=', tenantId)
    .where('r.rule_set_id', '=', ruleSetId)
    .where('r.number', '=', number)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the run that has not ended. Only the newest run can be unfinished, because a workspace runs one at a time. */
export async function findUnendedRun(db: Db, tenantId: string): Promise<string | undefined> {
  const newest = await runs(db, tenantId).orderBy('r.id', 'desc').limit(1).executeTakeFirst()
  if (newest === undefined) return undefined
  return ['queued', 'running'].includes(endOf(newest).status) ? newest.id : undefined
}

const bands = z.array(bandSchema)
export type ActiveGeneration = Pick<
  GenerationTable,
  'rule_set_id' | 'rule_version' | 'algorithm_version' | 'sequence' | 'change_number'
> & {
  tenantId: string
  /** number of the tenant in the keys of score tables */
  tenant: number
  runId: string
  previousRunId: string | null
  number: number
  bands: z.output<typeof bands>
  /** re-scoring is paused until a recalculation */
  isPaused: boolean
}

function activeGenerations(db: Db) {
  return db
    .selectFrom('scoring_active as a')
    .innerJoin('score_generations as g', 'g.number', 'a.generation')
    .innerJoin('tenants as t', 't.id', 'a.tenant_id')
    .select([
      'a.tenant_id as tenantId',
      't.number as tenant',
      'a.run_id as runId',
      'a.previous_run_id as previousRunId',
    ])
    .select(['g.number', 'g.rule_set_id', 'g.rule_version', 'g.algorithm_version', 'g.sequence', 'g.change_number'])
    .select(['g.bands as bandsJson', 'g.paused'])
}

/** Returns the active generation of the tenant; undefined before the first activation. */
export async function findActiveGeneration(db: Db, tenantId: string): Promise<ActiveGeneration | undefined> {
  const row = await activeGenerations(db).where('a.tenant_id', '=', tenantId).executeTakeFirst()
  return row && toActive(row)
}

/** Returns the active generations of all tenants. */
export async function selectActiveGenerations(db: Db): Promise<ActiveGeneration[]> {
  return (await activeGenerations(db).execute()).map(toActive)
}

type ActiveRow = Omit<ActiveGeneration, 'bands' | 'isPaused'> & { bandsJson: string; paused: 0 | 1 }

function toActive({ bandsJson, paused, ...row }: ActiveRow): ActiveGeneration {
  return { ...row, bands: bands.parse(JSON.parse(bandsJson)), isPaused: paused === 1 }
}

/** Inserts the next generation and returns its number. Rows of generations are never deleted, so no number is reused. */
export async function insertGeneration(
  db: Db,
  row: Pick<GenerationTable, 'tenant_id' | 'run_id' | 'rule_set_id' | 'rule_version' | 'algorithm_version' | 'bands'>,
): Promise<number> {
  const { number } = await db
    .insertInto('score_generations')
    .values({ ...row, state: 'building', sequence: 0, change_number: 0, compared_with: null })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

export async function updateGeneration(
  db: Db,
  number: number,
  columns: Partial<Pick<GenerationTable, 'state' | 'sequence' | 'change_number' | 'compared_with'>>,
): Promise<void> {
  await db.updateTable('score_generations').set(columns).where('number', '=', number).execute()
}

export async function findGenerationState(db: Db, number: number): Promise<GenerationTable['state'] | undefined> {
  const row = await db.selectFrom('score_generations').select('state').where('number', '=', number).executeTakeFirst()
  return row?.state
}

/**
 * Advances the generation's stored position in the audit and in the score changes. It never moves backwards, because several followers can run after
 * a restart.
 */
export async function advancePosition(
  db: Db,
  number: number,
  to: { sequence: number; changeNumber: number },
): Promise<void> {
  await db
    .updateTable('score_generations')
    .set({
      sequence: sql<number>`CASE WHEN sequence < ${to.sequence} THEN ${to.sequence} ELSE sequence END`,
      change_number: sql<number>`CASE WHEN change_number < ${to.changeNumber} THEN ${to.changeNumber} ELSE change_number END`,
    })
    .where('number', '=', number)
    .execute()
}

/** Pauses re-scoring until the next recalculation, or resumes it. */
export async function setPaused(db: Db, number: number, isPaused: boolean): Promise<void> {
  await db
    .updateTable('score_generations')
    .set({ paused: isPaused ? 1 : 0 })
    .where('number', '=', number)
    .execute()
}

export async function insertFailures(
  db: Db,
  rows: readonly { tenant_id: string; run_id: string; business_id: string; reason: string }[],
): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('scoring_failures')
      .values([...rows])
      .execute()
}

export async function selectFailures(
  db: Db,
  wanted: { tenantId: string; runId: string; after: string; limit: number },
): Promise<{ businessId: string; name: string; doNotContact: boolean; reason: string }[]> {
  const { tenantId, runId, after, limit } = wanted
  const rows = await db
    .selectFrom('scoring_failures as f')
    .innerJoin('businesses as b', (join) =>
      join.onRef('b.tenant_id', '=', 'f.tenant_id').onRef('b.id', '=', 'f.business_id'),
    )
    .select(['f.business_id as businessId', 'b.name', 'b.do_not_contact', 'f.reason'])
    .where('f.tenant_id', '=', tenantId)
    .where('f.run_id', '=', runId)
    .where('f.business_id', '>', after)
    .orderBy('f.business_id')
    .limit(limit)
    .execute()
  return rows.map(({ do_not_contact, ...failure }) => ({ ...failure, doNotContact: do_not_contact === 1 }))
}

/** Returns the record counts per result that are stored with the scores. */
export async function selectCounts(
  db: Db,
  { tenant, number }: Pick<ActiveGeneration, 'tenant' | 'number'>,
): Promise<Cell[]> {
  return db
    .selectFrom('score_counts')
    .select(['eligibility', 'priority', 'reachable', 'low', 'count'])
    .where('tenant', '=', tenant)
    .where('generation', '=', number)
    .where('count', '>', 0)
    .execute()
}
