import { type RawBuilder, sql } from 'kysely'
import type { JobStatus } from '../jobs.table.ts'

/**
 * Selects the status of the newest attempt of a job for rows that refer to it. `request` is the alias of their table, with `tenant_id` and `job_id`.
 */
export function latestJobStatus(request: string): RawBuilder<JobStatus | null> {
  return sql<JobStatus | null>`(
    SELECT j.status FROM jobs j
    WHERE j.tenant_id = ${sql.ref(`${request}.tenant_id`)} AND j.lineage_id = ${sql.ref(`${request}.job_id`)}
    ORDER BY j.attempt DESC LIMIT 1)`
}
