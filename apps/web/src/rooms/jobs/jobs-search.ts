/** The address of the list of jobs: its filters, read strictly so that a shared link shows the same. */
import type { JobSummary } from '@prospect/api-client'

export type JobStatus = JobSummary['status']
export const jobStatuses: readonly JobStatus[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled']

export type JobsSearch = { status?: JobStatus; kind?: string }

export function parseJobsSearch(search: Record<string, unknown>): JobsSearch {
  const status = jobStatuses.find((known) => known === search.status)
  const { kind } = search
  return {
    ...(status === undefined ? {} : { status }),
    ...(typeof kind === 'string' && /^[a-z-]{1,100}$/.test(kind) ? { kind } : {}),
  }
}
