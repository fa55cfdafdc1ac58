import { requirePermission } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { limitReached, type RecordLimit } from '../../../lib/limit-reached.ts'
import type { Tx } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import { getNewestAttempt } from '../jobs.queries.ts'
import { decideRetry, MAX_ATTEMPTS_OF_LINEAGE } from '../jobs.rules.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKind } from '../kinds/job-kind.ts'
import { type CreatedJob, findReplayed, newJob, queuedJobQuota, queueJob } from './create-job.ts'

/** Attempts of one job. A repeat beyond them has the status of any job that cannot be retried. */
export const attemptLimit: RecordLimit = {
  name: 'job_attempts',
  of: 'record',
  record: 'job',
  label: 'attempts',
  remedy: 'Create a new job.',
  max: MAX_ATTEMPTS_OF_LINEAGE,
}

/**
 * Queues a new attempt of a failed or cancelled job. The attempt is a separate job that refers to the previous one. It uses the effect ledger of the
 * lineage, so that no effect is repeated, and its last checkpoint (specification, Phase 4 §4). It belongs to the person who requests it and runs with
 * their permissions. A repeated request with the same key returns the attempt, but only to that person. Errors: `permission_denied`,
 * `job_not_retryable`, `idempotency_key_reused`, `queue_full`.
 */
export async function retryJob(tx: Tx, kind: JobKind, job: JobTable, idempotencyKey: string): Promise<CreatedJob> {
  requirePermission(tx.actor, kind.permission)
  const print = fingerprint({ retryOf: job.id })
  const known = await findReplayed(tx, { key: idempotencyKey, fingerprint: print })
  if (known !== undefined) return known
  const newest = await getNewestAttempt(tx.db, job.tenant_id, job.lineage_id)
  const { status, attempt } = job
  const decision = decideRetry({ status, attempt, newestAttempt: newest.attempt })
  switch (decision) {
    case 'not_ended':
      throw notRetryable('This job has not ended yet.')
    case 'succeeded':
      throw notRetryable('This job has succeeded, so there is nothing to retry.')
    case 'retried_already':
      throw notRetryable('This job was already retried. Open its newest attempt.')
    case 'too_many':
      throw limitReached(attemptLimit, { code: 'job_not_retryable', used: newest.attempt, max: attemptLimit.max })
    case 'allowed': {
      await requireRoom(tx, queuedJobQuota)
      const id = await queueAttempt(tx, job, { fingerprint: print, idempotency_key: idempotencyKey })
      return { id, isReplayed: false }
    }
  }
}

/** The request that the next attempt stores, and its owner if that is not the actor of this change. */
type Asked = Pick<JobTable, 'fingerprint' | 'idempotency_key'> &
  Partial<Pick<JobTable, 'actor' | 'token_id' | 'correlation_id'>>

/**
 * Inserts the attempt after `job`. `job` must be the newest attempt and must have ended, or end in this transaction. `because`: code of the error
 * after which the worker repeats the job; undefined if a person requested the attempt.
 */
export async function queueAttempt(tx: Tx, job: JobTable, asked: Asked, because?: string): Promise<string> {
  const id = newId()
  await queueJob(
    tx,
    {
      ...newJob(tx, job.kind),
      ...asked,
      id,
      lineage_id: job.lineage_id,
      attempt: job.attempt + 1,
      retry_of: job.id,
      input_json: job.input_json,
      checkpoint_json: job.checkpoint_json,
    },
    because,
  )
  return id
}

function notRetryable(message: string): AppError {
  return new AppError('job_not_retryable', message)
}
