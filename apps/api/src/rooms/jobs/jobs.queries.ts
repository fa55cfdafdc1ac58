import { sql } from 'kysely'
import { notFound } from '../../lib/app-error.ts'
import type { Db } from '../../store/database.ts'
import { inList } from '../../store/engine/dialect.ts'
import { prepared } from '../../store/engine/prepared.ts'
import type { JobStatus, JobTable } from './jobs.table.ts'

/** `retried_code`, `retried_message`: the error of the attempt that this one repeats. */
export type JobRow = JobTable & {
  actor_name: string | null
  canceller_name: string | null
  retried_code: string | null
  retried_message: string | null
}

function jobsWithPeople(db: Db) {
  return db
    .selectFrom('jobs as j')
    .leftJoin('users as u', 'u.id', 'j.actor')
    .leftJoin('users as c', 'c.id', 'j.cancel_requested_by')
    .leftJoin('jobs as p', (join) => join.onRef('p.tenant_id', '=', 'j.tenant_id').onRef('p.id', '=', 'j.retry_of'))
    .selectAll('j')
    .select(['u.name as actor_name', 'c.name as canceller_name'])
    .select(['p.error_code as retried_code', 'p.error_message as retried_message'])
}

/** Returns a job if it is of one of these kinds. Errors: `not_found`, also for a job of another kind. */
export async function getJobRow(
  db: Db,
  { tenantId, jobId, kinds }: { tenantId: string; jobId: string; kinds: readonly string[] },
): Promise<JobRow> {
  const row = await jobsWithPeople(db).where('j.tenant_id', '=', tenantId).where('j.id', '=', jobId).executeTakeFirst()
  if (row === undefined || !kinds.includes(row.kind)) throw notFound()
  return row
}

export async function findByIdempotencyKey(
  db: Db,
  tenantId: string,
  key: string,
): Promise<Pick<JobTable, 'id' | 'fingerprint' | 'actor'> | undefined> {
  return db
    .selectFrom('jobs')
    .select(['id', 'fingerprint', 'actor'])
    .where('tenant_id', '=', tenantId)
    .where('idempotency_key', '=', key)
    .where('idempotency_key', 'is not', null)
    .executeTakeFirst()
}

/** Returns the queued jobs of a tenant, from the index of queued jobs. */
export function queuedJobs(db: Db, tenantId: string) {
  return db
    .selectFrom('jobs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', sql.lit('queued' as const))
}

type Wanted = {
  tenantId: string
  kind: string
  status: JobStatus | undefined
  before: string | undefined
  limit: number
}

/** Selects the jobs of these kinds. */
export function jobsOf(
  db: Db,
  { tenantId, kinds, status }: { tenantId: string; kinds: readonly string[]; status: JobStatus | undefined },
) {
  return db
    .selectFrom('jobs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('kind', 'in', inList(kinds))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'queued'))
}

/** Returns jobs of one kind, newest first. One index serves every combination of filters. */
export function selectJobs(db: Db, { tenantId, kind, status, before, limit }: Wanted): Promise<JobRow[]> {
  return jobsWithPeople(db)
    .where('j.tenant_id', '=', tenantId)
    .where('j.kind', '=', kind)
    .$if(status !== undefined, (query) => query.where('j.status', '=', status ?? 'queued'))
    .$if(before !== undefined, (query) => query.where('j.id', '<', before ?? ''))
    .orderBy('j.id', 'desc')
    .limit(limit)
    .execute()
}

export type AttemptRow = Pick<JobTable, 'id' | 'attempt' | 'status' | 'idempotency_key' | 'created_at' | 'ended_at'>

/** Returns all attempts of a lineage, from first to last. A lineage has a limited number of them. */
export function selectAttempts(db: Db, tenantId: string, lineageId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'attempt', 'status', 'idempotency_key', 'created_at', 'ended_at'])
    .where('tenant_id', '=', tenantId)
    .where('lineage_id', '=', lineageId)
    .orderBy('attempt')
    .execute()
}

/** Returns the number of the newest attempt of each of these lineages. */
export async function selectNewestNumbers(
  db: Db,
  tenantId: string,
  lineageIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['lineage_id', fn.max('attempt').as('attempt')])
    .where('tenant_id', '=', tenantId)
    .where('lineage_id', 'in', inList(lineageIds))
    .groupBy('lineage_id')
    .execute()
  return new Map(rows.map(({ lineage_id: id, attempt }) => [id, attempt]))
}

export async function getNewestAttempt(db: Db, tenantId: string, lineageId: string): Promise<JobTable> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('lineage_id', '=', lineageId)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

/** Returns the events of a job after a sequence, in order. */
export const selectEvents = prepared<{ tenantId: string; jobId: string; after: number; limit: number }>()((db, param) =>
  db
    .selectFrom('job_events')
    .selectAll()
    .where('tenant_id', '=', param('tenantId'))
    .where('job_id', '=', param('jobId'))
    .where('sequence', '>', param('after'))
    .orderBy('sequence')
    .limit(param('limit')),
)
