import { actorKey, requirePermission, tokenOfActor } from '../../../lib/actor.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { Tx } from '../../../store/change/change.ts'
import { findIdempotentResult, keyReused, saveIdempotentResult } from '../../../store/change/idempotency.ts'
import { countRows, type Quota, requireRoom } from '../../../store/change/quota.ts'
import { findByIdempotencyKey, queuedJobs } from '../jobs.queries.ts'
import type { JobTable } from '../jobs.table.ts'
import type { JobKind } from '../kinds/job-kind.ts'
import { appendEvent, insertJob } from './job-writes.ts'

/** Queued jobs of a tenant. */
export const queuedJobQuota: Quota = {
  name: 'queued_jobs',
  of: 'tenant',
  label: 'queued jobs',
  remedy: 'Wait until some jobs have ended, or cancel some jobs.',
  max: 1_000,
  error: 'queue_full',
  count: (db, { tenantId }, upTo) => countRows(db, queuedJobs(db, tenantId), upTo),
}

/** Result of `createJob`. `isReplayed`: an earlier request with this key created the job, and nothing was written now. */
export type CreatedJob = { id: string; isReplayed: boolean }

/**
 * Queues a job inside a change, for the actor of the change, and records `job.create`. A worker starts it within milliseconds of the commit, with the
 * permissions that the actor has at that time. If the key was used before for the identical request, returns that job, whatever its status. Another
 * person who may create the kind gets it too; the job still belongs to the first person. A change that does nothing else must then return
 * `unchanged`. Errors: `permission_denied` (the kind's permission), `invalid_request` (the input), `idempotency_key_reused`, `queue_full`.
 * Specification: Phase 4 §1, §3.
 */
export async function createJob<Input>(
  tx: Tx,
  wanted: { kind: JobKind<Input>; input: Input; idempotencyKey?: string | null },
): Promise<CreatedJob> {
  const { kind, idempotencyKey = null } = wanted
  requirePermission(tx.actor, kind.permission)
  const input = kind.check(wanted.input)
  const print = fingerprint({ kind: kind.kind, input })
  const known = await findReplayed(tx, { key: idempotencyKey, fingerprint: print, answersAnybody: true })
  if (known !== undefined) return known
  await requireRoom(tx, queuedJobQuota)
  const id = newId()
  await queueJob(tx, {
    ...newJob(tx, kind.kind),
    id,
    lineage_id: id,
    attempt: 1,
    input_json: JSON.stringify(input),
    fingerprint: print,
    idempotency_key: idempotencyKey,
  })
  return { id, isReplayed: false }
}

/**
 * Returns the job that was created with this key, or undefined. Errors: `idempotency_key_reused` if the key was used for any other request, on any
 * route, or by another person (unless `answersAnybody`).
 */
export async function findReplayed(
  tx: Tx,
  asked: { key: string | null; fingerprint: string; answersAnybody?: boolean },
): Promise<CreatedJob | undefined> {
  const { key, fingerprint: print, answersAnybody = false } = asked
  if (key === null) return undefined
  const known = await findByIdempotencyKey(tx.db, tx.actor.tenantId, key)
  if (known === undefined) {
    await findIdempotentResult(tx.db, tx.actor, { key, fingerprint: print })
    return undefined
  }
  const isTheirs = answersAnybody || known.actor === actorKey(tx.actor)
  if (!isTheirs || known.fingerprint !== print) throw keyReused()
  return { id: known.id, isReplayed: true }
}

/** Returns the columns of a new job that are the same for all jobs. */
export function newJob(tx: Tx, kind: string) {
  return {
    tenant_id: tx.actor.tenantId,
    kind,
    retry_of: null,
    actor: actorKey(tx.actor),
    token_id: tokenOfActor(tx.actor),
    correlation_id: tx.actor.correlationId,
    status: 'queued',
    owner: null,
    claim: 0,
    reclaims: 0,
    cancel_requested_at: null,
    cancel_requested_by: null,
    progress_done: null,
    progress_total: null,
    progress_unit: null,
    checkpoint_json: null,
    result_json: null,
    error_code: null,
    error_message: null,
    last_sequence: 1,
    created_at: tx.at,
    started_at: null,
    ended_at: null,
  } satisfies Partial<JobTable>
}

/**
 * Inserts a job with its first event, and wakes the worker after the commit. The job's key is also stored in the table of all idempotency keys, so
 * that no other route accepts the key for another request. `because`: code of the error after which the worker repeats a job, for the event and the
 * audit.
 */
export async function queueJob(tx: Tx, row: JobTable, because?: string): Promise<void> {
  const { tenant_id: tenantId, id, kind, attempt, lineage_id: lineageId } = row
  await insertJob(tx.db, row)
  if (row.idempotency_key !== null) {
    const key = { key: row.idempotency_key, fingerprint: row.fingerprint }
    await saveIdempotentResult(tx.db, tx.actor, key, { id }, tx.at)
  }
  const automatic = because === undefined ? {} : { because }
  const data: JsonObject = { kind, attempt, ...(row.retry_of === null ? {} : { retryOf: row.retry_of }), ...automatic }
  await appendEvent(tx.db, { tenantId, jobId: id, sequence: 1 }, { type: 'created', at: tx.at, data })
  await tx.record({
    action: attempt === 1 ? 'job.create' : 'job.retry',
    subject: { type: 'job', id },
    after: { kind, attempt, ...(attempt === 1 ? {} : { lineageId, retryOf: row.retry_of }), ...automatic },
  })
  tx.afterCommit(() => tx.signals.emit('jobQueued'))
}
