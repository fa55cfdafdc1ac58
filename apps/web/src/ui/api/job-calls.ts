import type { Job, JobCancellation } from '@prospect/api-client'
import { api } from './api.ts'

/** What may be asked of a job, by the room that started it or by the list of all. */
export const cancelJob = (jobId: string) => api.post<JobCancellation>(`/jobs/${jobId}/cancellation`, { body: {} })

export const retryJob = (jobId: string, idempotencyKey: string) =>
  api.post<Job>(`/jobs/${jobId}/retry`, { body: {}, idempotencyKey })
