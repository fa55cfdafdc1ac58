import { createTenantTurns } from '../../../lib/tenant-turns.ts'
import type { JobContext } from '../kinds/job-kind.ts'

/** Maximum number of runs at once that read a whole workspace in threads of their own, and of one tenant. A run has up to three threads. */
const MAX_RUNS = 4
export const MAX_RUNS_PER_TENANT = 2

const turns = createTenantTurns<Pick<JobContext, 'tenantId'>>({
  isFree: ({ tenantId }, running) =>
    running.size < MAX_RUNS && [...running].filter((run) => run.tenantId === tenantId).length < MAX_RUNS_PER_TENANT,
})

/** Runs the work of a job over a whole workspace in the tenant's turn. Errors: those of the work, the interruption of the job. */
export function runInTurn<T>(
  { tenantId, signal }: Pick<JobContext, 'tenantId' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  return turns.run({ tenantId }, work, { signal })
}
