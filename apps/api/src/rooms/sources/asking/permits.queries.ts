import { sql } from 'kysely'
import type { DueAt } from '../../../store/change/sweep.ts'
import type { Db } from '../../../store/database.ts'
import { inList, isSame } from '../../../store/engine/dialect.ts'
import { prepared } from '../../../store/engine/prepared.ts'
import type { SourcePermitTable, SourceQueryTable } from '../sources.table.ts'

type Key = { tenantId: string; sourceId: string }

export type Usage = {
  /** number of permits of the last minute, and the time of the oldest of them */
  minute: number
  oldest: string | null
  /** number of requests of the current day in UTC */
  day: number
  /** number of active leases, and the end of the first of them */
  live: number
  lease: string | null
  /** time until which requests to the source, or to this host, are deferred, and the cause */
  deferred: string | null
  deferred_cause: string | null
}

const usage = prepared<Key & { minuteAgo: string; now: string; today: string; target: string | null }>()(
  (_db, param) => sql<Usage>`
    SELECT
      (SELECT count(*) FROM source_permits WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')}
        AND taken_at > ${param('minuteAgo')}) AS minute,
      (SELECT min(taken_at) FROM source_permits WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')}
        AND taken_at > ${param('minuteAgo')}) AS oldest,
      coalesce((SELECT requests FROM source_health WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')}
        AND interval = 'day' AND starts_at = ${param('today')}), 0) AS day,
      (SELECT count(*) FROM source_permits WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')}
        AND ended_at IS NULL AND lease_until > ${param('now')}) AS live,
      (SELECT min(lease_until) FROM source_permits WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')}
        AND ended_at IS NULL AND lease_until > ${param('now')}) AS lease,
      (SELECT max(defer_until) FROM source_permits WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')}
        AND defer_until > ${param('now')} AND ${isSame(sql`target`, param('target'))}) AS deferred,
      (SELECT cause FROM source_permits WHERE tenant_id = ${param('tenantId')} AND source_id = ${param('sourceId')}
        AND defer_until > ${param('now')} AND ${isSame(sql`target`, param('target'))} ORDER BY defer_until DESC LIMIT 1) AS deferred_cause`,
)

export async function readUsage(
  db: Db,
  key: Key,
  at: { minuteAgo: string; now: string; today: string; target: string | null },
): Promise<Usage> {
  const [row] = await usage(db, { ...key, ...at })
  if (row === undefined) throw new Error('A SELECT without a table returned nothing.')
  return row
}

export const insertPermit = prepared<
  Omit<SourcePermitTable, 'ended_at' | 'is_failure' | 'cause' | 'latency_ms' | 'bytes' | 'defer_until'>
>()(
  (_db, param) => sql`
    INSERT INTO source_permits (tenant_id, id, source_id, query_id, attempt, target, circuit_id, taken_at, lease_until)
    VALUES (${param('tenant_id')}, ${param('id')}, ${param('source_id')}, ${param('query_id')}, ${param('attempt')},
      ${param('target')}, ${param('circuit_id')}, ${param('taken_at')}, ${param('lease_until')})`,
)

type Ended = Pick<SourcePermitTable, 'ended_at' | 'is_failure' | 'cause' | 'latency_ms' | 'bytes' | 'defer_until'>

export const endPermit = prepared<Ended & { tenantId: string; id: string }>()((db, param) =>
  db
    .updateTable('source_permits')
    .set({
      ended_at: param('ended_at'),
      is_failure: param('is_failure'),
      cause: param('cause'),
      latency_ms: param('latency_ms'),
      bytes: param('bytes'),
      defer_until: param('defer_until'),
    })
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('id')),
)

export const insertQuery = prepared<SourceQueryTable>()(
  (_db, param) => sql`
    INSERT INTO source_queries (tenant_id, id, source_id, number, kind, purpose, business_id, request, plan, outcome, job_id, at, actor, ended_at)
    VALUES (${param('tenant_id')}, ${param('id')}, ${param('source_id')}, ${param('number')}, ${param('kind')}, ${param('purpose')},
      ${param('business_id')}, ${param('request')}, ${param('plan')}, ${param('outcome')}, ${param('job_id')}, ${param('at')},
      ${param('actor')}, ${param('ended_at')})`,
)

const finishQuery = prepared<{ tenantId: string; id: string; outcome: string; at: string }>()((db, param) =>
  db
    .updateTable('source_queries')
    .set({ outcome: param('outcome'), ended_at: param('at') })
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('id'))
    .where('outcome', 'is', null)
    .returning('id'),
)

/** Stores the outcome of a query. Returns false if the query has one already; the first outcome stays. */
export async function endQuery(
  db: Db,
  row: { tenantId: string; id: string; outcome: string; at: string },
): Promise<boolean> {
  return (await finishQuery(db, row)).length === 1
}

export function findQuery(db: Db, tenantId: string, id: string): Promise<SourceQueryTable | undefined> {
  return db
    .selectFrom('source_queries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

const permitsOf = prepared<{ tenantId: string; queryId: string }>()(
  (_db, param) => sql<{ count: number }>`
    SELECT count(*) AS count FROM source_permits WHERE tenant_id = ${param('tenantId')} AND query_id = ${param('queryId')}`,
)

export async function countPermitsOf(db: Db, tenantId: string, queryId: string): Promise<number> {
  const [row] = await permitsOf(db, { tenantId, queryId })
  return row?.count ?? 0
}

export type OpenQuery = Pick<SourceQueryTable, 'id' | 'source_id' | 'number' | 'purpose' | 'business_id'>

/** Returns the queries of a job that have no outcome. A job has few of them, because it asks one after the other. */
export function selectOpenOfJob(db: Db, tenantId: string, jobId: string): Promise<OpenQuery[]> {
  return openQueries(db, tenantId).where('job_id', '=', jobId).execute()
}

/** Returns the queries without an outcome that no job sends, and that no process sends any more: their last lease has expired. */
export function selectOpenOfNoJob(db: Db, { tenantId, now, limit }: DueAt): Promise<OpenQuery[]> {
  return openQueries(db, tenantId)
    .where('job_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('source_permits as p')
            .select('p.id')
            .whereRef('p.tenant_id', '=', 'source_queries.tenant_id')
            .whereRef('p.query_id', '=', 'source_queries.id')
            .where('p.lease_until', '>', now),
        ),
      ),
    )
    .limit(limit)
    .execute()
}

function openQueries(db: Db, tenantId: string) {
  return db
    .selectFrom('source_queries')
    .select(['id', 'source_id', 'number', 'purpose', 'business_id'])
    .where('tenant_id', '=', tenantId)
    .where('outcome', 'is', null)
    .orderBy('id')
}

/** Returns the jobs of queries that have no outcome. */
export async function selectOpenJobs(db: Db, tenantId: string, purpose: string, limit: number): Promise<string[]> {
  const rows = await openQueries(db, tenantId)
    .select('job_id')
    .where('job_id', 'is not', null)
    .where('purpose', '=', purpose)
    .limit(limit)
    .execute()
  return rows.flatMap(({ job_id }) => job_id ?? [])
}

/** Returns permits older than `before`. Their ids ascend with time, so the query selects by id. */
export async function selectPermitsBefore(db: Db, tenantId: string, before: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('source_permits')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '<', idAt(before))
    .where(({ eb, or }) => or([eb('defer_until', 'is', null), eb('defer_until', '<', before)]))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes these permits. Their counts stay in the health buckets. */
export async function deletePermits(db: Db, tenantId: string, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('source_permits').where('tenant_id', '=', tenantId).where('id', 'in', inList(ids)).execute()
}

/** Returns the lowest id of this time. Every id that is created later sorts after it. */
function idAt(time: string): string {
  const digits = Date.parse(time).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
