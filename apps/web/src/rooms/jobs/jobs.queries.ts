import { type JobSummary, listJobs } from '@prospect/api-client'
import { getJobOptions, listJobKindsOptions, listJobsQueryKey } from '@prospect/api-client/query'
import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { pagedList } from '../../ui/lists/visible-pages.ts'
import type { JobsSearch } from './jobs-search.ts'

/** Poll intervals of the list: while one of its jobs is active, and otherwise. */
const BUSY_EVERY_MS = 1_000
const QUIET_EVERY_MS = 3_000

export const hasEnded = ({ status }: Pick<JobSummary, 'status'>) => status !== 'queued' && status !== 'running'

/** List of jobs. It is polled instead of streamed, because a browser opens only six connections per host. Hidden tabs do not poll. */
export const jobPages = (query: JobsSearch) =>
  pagedList(listJobsQueryKey({ query }), (page, signal) => dataOf(listJobs({ query: { ...query, ...page }, signal })), {
    askAgainMs: (rows) => (rows.every(hasEnded) ? QUIET_EVERY_MS : BUSY_EVERY_MS),
  })

export const jobQuery = (jobId: string) => getJobOptions({ path: { jobId } })

export const jobKey = (jobId: string) => jobQuery(jobId).queryKey

export const jobKindsQuery = queryOptions({
  ...listJobKindsOptions(),
  staleTime: Number.POSITIVE_INFINITY,
})
