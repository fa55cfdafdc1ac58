import type { Job, JobEventPage, JobKinds, JobSummary } from '@prospect/api-client'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../ui/api/api.ts'
import { ENTRIES_PER_PAGE, keepsPlace, type PagedList } from '../../ui/lists/visible-pages.ts'
import type { JobsSearch } from './jobs-search.ts'

/** How often the list is read anew: while something in it is under way, and otherwise. */
const BUSY_EVERY_MS = 1_000
const QUIET_EVERY_MS = 3_000

export const hasEnded = ({ status }: Pick<JobSummary, 'status'>) => status !== 'queued' && status !== 'running'

const jobsKey = ['jobs'] as const

/**
 * Read again and again instead of streamed: a browser opens six connections to a host, and one that stays open for a list would be missing
 * elsewhere. A tab that nobody looks at rests.
 */
export const jobPages = (filters: JobsSearch): PagedList<JobSummary> => ({
  queryKey: [...jobsKey, filters],
  path: '/jobs',
  query: filters,
  limit: ENTRIES_PER_PAGE,
  placeOf: keepsPlace,
  askAgainMs: (rows) => (rows.every(hasEnded) ? QUIET_EVERY_MS : BUSY_EVERY_MS),
})

export const jobKey = (jobId: string) => ['job', jobId] as const

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: jobKey(jobId),
    queryFn: ({ signal }) => api.get<Job>(`/jobs/${jobId}`, { signal }),
  })

export const jobKindsQuery = queryOptions({
  queryKey: ['job-kinds'],
  queryFn: async ({ signal }) => (await api.get<JobKinds>('/job-kinds', { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
})

export const readEvents = (jobId: string, after: number) =>
  api.get<JobEventPage>(`/jobs/${jobId}/events`, { query: { after } })

export const startJob = (kind: string, input: Record<string, string | number>, idempotencyKey: string) =>
  api.post<Job>('/jobs', { body: { kind, input }, idempotencyKey })
