import type { JobStatus } from './jobs.table.ts'

/*
 * Pure rules for the state machine of a job (specification, States: Job). In addition to the specification's table, a queued job can be cancelled,
 * and a running job is queued again if its worker stops or dies.
 */

export type Ended = Extract<JobStatus, 'succeeded' | 'failed' | 'cancelled'>

export function hasEnded(status: JobStatus): status is Ended {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

export type Cancellation = 'cancelled' | 'requested' | 'too_late' | 'not_cancellable'

/** Returns the effect of a request to cancel. A queued job ends at once, a running job is requested to stop, and an ended job does not change. */
export function decideCancellation(job: { status: JobStatus; isCancellable: boolean }): Cancellation {
  if (hasEnded(job.status)) return 'too_late'
  if (job.status === 'queued') return 'cancelled'
  return job.isCancellable ? 'requested' : 'not_cancellable'
}

export type RetryDecision = 'allowed' | 'not_ended' | 'succeeded' | 'retried_already' | 'too_many'

/** Maximum number of attempts in one lineage, counted over all users who request a retry. */
export const MAX_ATTEMPTS_OF_LINEAGE = 50

/** Decides whether a job can be retried. Only the newest attempt can be, so that two concurrent requests create only one further attempt. */
export function decideRetry(job: { status: JobStatus; attempt: number; newestAttempt: number }): RetryDecision {
  if (!hasEnded(job.status)) return 'not_ended'
  if (job.status === 'succeeded') return 'succeeded'
  if (job.attempt < job.newestAttempt) return 'retried_already'
  return job.attempt < MAX_ATTEMPTS_OF_LINEAGE ? 'allowed' : 'too_many'
}

/**
 * True for an attempt that the worker queued after a failure. An attempt that a person requests has an Idempotency-Key; the first attempt of a job that
 * a room creates has none either.
 */
export function isAutomatic(job: { attempt: number; idempotency_key: string | null }): boolean {
  return job.attempt > 1 && job.idempotency_key === null
}

/** Maximum number of times that a job is resumed after its worker died. Without the limit, a job that crashes every worker would never end. */
const MAX_RECLAIMS = 5

/** Decides what happens to a running job whose worker has stopped or died. */
export function decideReclaim(job: { reclaims: number; isCancelRequested: boolean }): 'requeue' | 'cancel' | 'fail' {
  if (job.isCancelRequested) return 'cancel'
  return job.reclaims < MAX_RECLAIMS ? 'requeue' : 'fail'
}
