import { AppError } from '../../../lib/app-error.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import { readObject } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKinds } from '../kinds/job-kind.ts'
import { appendEvent, endLeased, type JobEnd, type Lease, requeueLeased } from '../queue/job-writes.ts'
import { queueAttempt } from '../queue/retry-job.ts'
import { JobInterrupted, type JobProgress } from './job-interrupted.ts'

/** Outcome of a run. `isFinal`: no automatic attempt follows, because it would fail in the same way. */
export type Outcome =
  | { status: 'succeeded'; result: JsonObject | null }
  | { status: 'failed'; error: { code: string; message: string }; isFinal: boolean }
  | { status: 'cancelled' }
  | { status: 'handed_back' }
  | { status: 'lost' }
type End = Exclude<Outcome, { status: 'handed_back' | 'lost' }>

type Ending = { store: Store; kinds: JobKinds }

/**
 * Ends a job for its worker, in one transaction that requires the lease. Writes the status, the last event and the audit event. If the kind has
 * automatic attempts left, queues the next one; otherwise ends the request that the job answers. If the worker lost the lease, nothing is written,
 * because another worker ends the job.
 */
export async function endJob(
  { store, kinds }: Ending,
  { row, lease }: { row: JobTable; lease: Lease },
  { outcome, progress }: { outcome: End; progress: JobProgress | null },
): Promise<void> {
  const actor = systemActor('job worker', lease.tenantId, row.correlation_id)
  await change(store, actor, { permission: null, action: 'job.end' }, async (tx) => {
    const end = endOf(outcome, progress, tx.at)
    const sequence = await endLeased(tx.db, lease, end)
    if (sequence === undefined) throw new JobInterrupted('lease_lost')
    await appendEvent(tx.db, { ...lease, sequence }, { type: end.status, at: tx.at, data: dataOf(end) })
    await tx.record({
      subject: { type: 'job', id: row.id },
      before: { status: 'running' },
      after: { kind: row.kind, attempt: row.attempt, status: end.status, ...(end.error && { error: end.error.code }) },
    })
    const kind = kinds.get(row.kind)
    const mayRepeat = outcome.status === 'failed' && !outcome.isFinal && row.attempt < (kind?.maxAttempts ?? 1)
    const isRepeated = mayRepeat && (await queueNext(tx, row, outcome.error.code))
    if (!isRepeated)
      await kind?.onEnd(tx, readObject(row.input_json), { status: end.status, lineageId: row.lineage_id })
    tx.afterCommit(() => tx.signals.emit('jobEvent', row.id))
  }).catch(ignoreLostLease)
}

/**
 * Queues the next automatic attempt and returns true, or returns false if the job is not repeated because its cancellation was requested. The attempt
 * runs with the permissions of the person who requested the first one. Reads the job again, because `row` can be older than the newest checkpoint or
 * a cancellation. `because`: code of the error after which the worker repeats the job.
 */
async function queueNext(tx: Tx, row: JobTable, because: string): Promise<boolean> {
  const { checkpoint_json, cancel_requested_at } = await tx.db
    .selectFrom('jobs')
    .select(['checkpoint_json', 'cancel_requested_at'])
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  if (cancel_requested_at !== null) return false
  const { actor, token_id, correlation_id, fingerprint } = row
  const asked = { actor, token_id, correlation_id, fingerprint, idempotency_key: null }
  await queueAttempt(tx, { ...row, checkpoint_json }, asked, because)
  return true
}

function endOf(outcome: End, progress: JobProgress | null, at: string): JobEnd {
  return {
    status: outcome.status,
    at,
    result: outcome.status === 'succeeded' ? outcome.result : null,
    error: outcome.status === 'failed' ? outcome.error : null,
    progress,
  }
}

function dataOf({ result, error, progress }: JobEnd): JsonObject {
  return {
    ...(result !== null && { result }),
    ...(error !== null && { error }),
    ...(progress !== null && { progress }),
  }
}

/**
 * Queues a running job again: `handed_back` by a worker that stops, or `reclaimed` from a worker that died. No audit event records it, because it
 * changes no data of a person; the job's own events record it.
 */
export async function requeueJob(
  { store }: Pick<Ending, 'store'>,
  lease: Lease,
  { type, progress }: { type: 'handed_back' | 'reclaimed'; progress: JobProgress | null },
): Promise<void> {
  const isLost = type === 'reclaimed'
  await store.write({ tenantId: lease.tenantId }, async (db) => {
    const sequence = await requeueLeased(db, lease, { isLost, progress })
    if (sequence === undefined) return { keep: false, value: undefined }
    const at = store.clock().toISOString()
    await appendEvent(db, { ...lease, sequence }, { type, at, data: {} })
    const afterCommit = [() => store.signals.emit('jobQueued'), () => store.signals.emit('jobEvent', lease.jobId)]
    return { keep: true, value: undefined, afterCommit }
  })
}

function ignoreLostLease(error: unknown): void {
  if (error instanceof JobInterrupted) return
  throw error instanceof AppError ? error : new Error('The end of a job could not be written.', { cause: error })
}
