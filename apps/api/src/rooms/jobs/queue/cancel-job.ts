import { actorKey, requirePermission } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { readObject } from '../../../store/json-column.ts'
import { getNewestAttempt } from '../jobs.queries.ts'
import { decideCancellation } from '../jobs.rules.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKind } from '../kinds/job-kind.ts'
import { appendEvent, cancelQueued, requestCancel } from './job-writes.ts'

/** Effect of a request to cancel. `too_late`: the job has already ended, and its status is unchanged. */
export type CancelOutcome = 'cancelled' | 'requested' | 'too_late'

/**
 * Cancels a queued job, or requests that a running job stops at its next checkpoint. If the job ends at the same time, the first transaction decides,
 * and the result reports what happened (specification, Phase 4 §4). The request that a queued job would have answered ends in the same transaction. A
 * repeated request changes nothing. Errors: `permission_denied`, `job_not_cancellable`.
 */
export async function cancelJob(
  tx: Tx,
  kind: Pick<JobKind, 'permission' | 'isCancellable' | 'onEnd'>,
  job: Pick<JobTable, 'id' | 'lineage_id' | 'status' | 'started_at' | 'input_json'>,
): Promise<CancelOutcome | Unchanged<CancelOutcome>> {
  requirePermission(tx.actor, kind.permission)
  const { tenantId } = tx.actor
  const { id: jobId } = job
  const decision = decideCancellation({ status: job.status, isCancellable: kind.isCancellable })
  switch (decision) {
    case 'too_late':
      return unchanged(decision)
    case 'not_cancellable':
      throw new AppError('job_not_cancellable', 'A running job of this kind cannot be cancelled.')
    case 'cancelled': {
      const sequence = await cancelQueued(tx.db, tenantId, jobId, tx.at, actorKey(tx.actor))
      const data = { isStarted: job.started_at !== null }
      await appendEvent(tx.db, { tenantId, jobId, sequence }, { type: 'cancelled', at: tx.at, data })
      break
    }
    case 'requested': {
      const sequence = await requestCancel(tx.db, tenantId, jobId, tx.at, actorKey(tx.actor))
      if (sequence === undefined) return unchanged(decision)
      await appendEvent(tx.db, { tenantId, jobId, sequence }, { type: 'cancel_requested', at: tx.at, data: {} })
      tx.afterCommit(() => tx.signals.emit('jobCancel', jobId))
      break
    }
  }
  await tx.record({
    subject: { type: 'job', id: jobId },
    before: { status: job.status },
    after: { status: decision === 'cancelled' ? 'cancelled' : job.status, cancelRequested: true },
  })
  if (decision === 'cancelled')
    await kind.onEnd(tx, readObject(job.input_json), { status: decision, lineageId: job.lineage_id })
  tx.afterCommit(() => tx.signals.emit('jobEvent', jobId))
  return decision
}

/** Cancels the newest attempt of a job that a room queued. `lineageId`: the id of the first attempt. */
export async function cancelNewestAttempt(
  tx: Tx,
  kind: Pick<JobKind, 'permission' | 'isCancellable' | 'onEnd'>,
  lineageId: string,
): Promise<CancelOutcome | Unchanged<CancelOutcome>> {
  return cancelJob(tx, kind, await getNewestAttempt(tx.db, tx.actor.tenantId, lineageId))
}
