/** Search parameters of the list of jobs. Invalid values are dropped, so that a shared link shows the same. */
import type { JobSummary } from '@prospect/api-client'
import { oneOf, withoutUndefined } from '../../ui/lists/search-params.ts'

export type JobStatus = JobSummary['status']
export const jobStatuses: readonly JobStatus[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled']

export type JobsSearch = { status?: JobStatus; kind?: string }

export function parseJobsSearch({ status, kind }: Record<string, unknown>): JobsSearch {
  return withoutUndefined({
    status: oneOf(jobStatuses, status),
    kind: typeof kind === 'string' && /^[a-z-]{1,100}$/.test(kind) ? kind : undefined,
  })
}
