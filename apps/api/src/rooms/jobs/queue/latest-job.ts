import { type RawBuilder, sql } from 'kysely'
import type { JobTable } from '../jobs.table.ts'

/**
 * Returns a subquery for a column of the newest attempt of a job, to use in a query of rows that refer to the job. `request`: alias of the
 * table of those rows, which must have the columns `tenant_id` and `job_id`.
 */
export function latestJob<Column extends keyof JobTable>(
  request: string,
  column: Column,
): RawBuilder<JobTable[Column] | null> {
  return sql<JobTable[Column] | null>`(
    SELECT ${sql.ref(`j.${column}`)} FROM jobs j
    WHERE j.tenant_id = ${sql.ref(`${request}.tenant_id`)} AND j.lineage_id = ${sql.ref(`${request}.job_id`)}
    ORDER BY j.attempt DESC LIMIT 1)`
}
