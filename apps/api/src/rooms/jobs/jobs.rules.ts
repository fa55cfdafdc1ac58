import type { JobStatus } from './jobs.table.ts'

/*
 * The state machine of a job (specification, States: Job). Pure. In addition to the specification's table, a queued job can be cancelled, and a
 * running one is queued again if its worker stops or is lost.
 */

export type Ended = Extract<JobStatus, 'succeeded' | 'failed' | 'cancelled'>

export function hasEnded(status: JobStatus): status is Ended {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

export type Cancellation = 'cancelled' | 'requested' | 'too_late' | 'not_cancellable'

/** Decides the effect of a request to cancel: a queued job ends at once, a running one is requested to stop, and an ended one does not change. */
export function decideCancellation(job: { status: JobStatus; isCancellable: boolean }): Cancellation {
  if (hasEnded(job.status)) return 'too_late'
  if (job.status === 'queued') return 'cancelled'
  return job.isCancellable ? 'requested' : 'not_cancellable'
}

export type RetryDecision = 'allowed' | 'not_ended' | 'succeeded' | 'retried_already' | 'too_many'

/** Maximum number of attempts of one lineage, by any person. */
export const MAX_ATTEMPTS_OF_LINEAGE = 50

/** Decides whether a job can be retried. Only the newest attempt can, so that two concurrent requests create one attempt. */
export function decideRetry(job: { status: JobStatus; attempt: number; newestAttempt: number }): RetryDecision {
  if (!hasEnded(job.status)) return 'not_ended'
  if (job.status === 'succeeded') return 'succeeded'
  if (job.attempt < job.newestAttempt) return 'retried_already'
  return job.attempt < MAX_ATTEMPTS_OF_LINEAGE ? 'allowed' : 'too_many'
}

/** Number of times that a job with a lost worker is resumed. A job that crashes its worker each time must end. */
const MAX_RECLAIMS = 5

/** Decides what happens to a running job without a worker. */
export function decideReclaim(job: { reclaims: number; isCancelRequested: boolean }): 'requeue' | 'cancel' | 'fail' {
  if (job.isCancelRequested) return 'cancel'
  return job.reclaims < MAX_RECLAIMS ? 'requeue' : 'fail'
}
