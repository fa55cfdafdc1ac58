import { sql } from 'kysely'
import type { JsonObject } from '../../../lib/json.ts'
import type { Db } from '../../../store/database.ts'
import { prepared, preparedInsert, preparedRow } from '../../../store/engine/prepared.ts'
import type { Ended } from '../jobs.rules.ts'
import type { JobEventType, JobTable } from '../jobs.table.ts'
import type { JobProgress } from '../worker/job-interrupted.ts'

/** A job and the claim by which a worker has it. Every write of the worker requires it. */
export type Lease = { tenantId: string; jobId: string; owner: string; claim: number }

export async function insertJob(db: Db, row: JobTable): Promise<void> {
  await db.insertInto('jobs').values(row).execute()
}

const insertEventRow = preparedInsert('job_events', ['tenant_id', 'job_id', 'sequence', 'type', 'at', 'data_json'])

/** Inserts an event of a job. `sequence` is the number that the update of the job returned in the same transaction. */
export async function appendEvent(
  db: Db,
  job: { tenantId: string; jobId: string; sequence: number },
  event: { type: JobEventType; at: string; data: JsonObject },
): Promise<void> {
  await insertEventRow(db, {
    tenant_id: job.tenantId,
    job_id: job.jobId,
    sequence: job.sequence,
    type: event.type,
    at: event.at,
    data_json: JSON.stringify(event.data),
  })
}

const nextTenant = prepared<{ after: string }>()((db, param) =>
  db
    .selectFrom('jobs')
    .select('tenant_id')
    .where('status', '=', sql.lit('queued' as const))
    .where('tenant_id', '>', param('after'))
    .orderBy('tenant_id')
    .limit(1),
)

/** Returns the next tenant after `after`, in the order of ids, that has a queued job. `''` sorts before all ids. */
export async function findNextTenant(db: Db, after: string): Promise<string | undefined> {
  const [found] = await nextTenant(db, { after })
  return found?.tenant_id
}

export const findOldestQueued = preparedRow<{ tenantId: string }>()((db, param) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('status', '=', sql.lit('queued' as const))
    .where('tenant_id', '=', param('tenantId'))
    .orderBy('id')
    .limit(1),
)

const claimRow = prepared<{ tenantId: string; jobId: string; owner: string; at: string }>()((db, param) =>
  db
    .updateTable('jobs')
    .set((eb) => ({
      status: sql.lit('running' as const),
      owner: param('owner'),
      claim: eb('claim', '+', eb.lit(1)),
      started_at: eb.fn.coalesce('started_at', param('at')),
      last_sequence: eb('last_sequence', '+', eb.lit(1)),
    }))
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('jobId'))
    .where('status', '=', sql.lit('queued' as const))
    .returning(['claim', 'last_sequence']),
)

export async function claimJob(
  db: Db,
  claim: { tenantId: string; jobId: string; owner: string; at: string },
): Promise<{ claim: number; sequence: number } | undefined> {
  const [claimed] = await claimRow(db, claim)
  return claimed === undefined ? undefined : { claim: claimed.claim, sequence: claimed.last_sequence }
}

const heldLease = prepared<Lease>()((db, param) =>
  db
    .selectFrom('jobs')
    .select('last_sequence')
    .where('tenant_id', '=', param('tenantId'))
    .where('id', '=', param('jobId'))
    .where('owner', '=', param('owner'))
    .where('claim', '=', param('claim'))
    .where('status', '=', sql.lit('running' as const)),
)

/** True if this claim is still valid. Call it in the transaction that depends on it. */
export async function isLeaseHeld(db: Db, lease: Lease): Promise<boolean> {
  return (await heldLease(db, lease)).length === 1
}

type ProgressColumns = Pick<JobTable, 'progress_done' | 'progress_total' | 'progress_unit'>

export function progressColumns(progress: JobProgress | null): Partial<ProgressColumns> {
  if (progress === null) return {}
  return { progress_done: progress.done, progress_total: progress.total, progress_unit: progress.unit }
}

/** Updates the row of a job for its worker and returns the sequence for its event; undefined if the worker lost the lease. */
export async function updateLeased(
  db: Db,
  lease: Lease,
  columns: Partial<ProgressColumns & Pick<JobTable, 'checkpoint_json'>>,
): Promise<number | undefined> {
  const [updated] = await leasedUpdate(db, lease)
    .set((eb) => ({ ...columns, last_sequence: eb('last_sequence', '+', 1) }))
    .returning('last_sequence')
    .execute()
  return updated?.last_sequence
}

export type JobEnd = {
  status: Ended
  at: string
  result: JsonObject | null
  error: { code: string; message: string } | null
  progress: JobProgress | null
}

/**
 * Ends a job for its worker and returns the sequence for its event. Returns undefined if the worker lost the lease, because another worker then ends
 * the job.
 */
export async function endLeased(db: Db, lease: Lease, end: JobEnd): Promise<number | undefined> {
  const [updated] = await leasedUpdate(db, lease)
    .set((eb) => ({
      status: end.status,
      owner: null,
      ended_at: end.at,
      result_json: end.result === null ? null : JSON.stringify(end.result),
      error_code: end.error?.code ?? null,
      error_message: end.error?.message ?? null,
      ...progressColumns(end.progress),
      last_sequence: eb('last_sequence', '+', 1),
    }))
    .returning('last_sequence')
    .execute()
  return updated?.last_sequence
}

/** Queues a running job again and releases its lease. `isLost`: its worker died, so the run counts against the maximum number of resumptions. */
export async function requeueLeased(
  db: Db,
  lease: Lease,
  { isLost, progress }: { isLost: boolean; progress: JobProgress | null },
): Promise<number | undefined> {
  const [updated] = await leasedUpdate(db, lease)
    .set((eb) => ({
      status: 'queued',
      owner: null,
      reclaims: eb('reclaims', '+', isLost ? 1 : 0),
      ...progressColumns(progress),
      last_sequence: eb('last_sequence', '+', 1),
    }))
    .returning('last_sequence')
    .execute()
  return updated?.last_sequence
}

function leasedUpdate(db: Db, lease: Lease) {
  return db
    .updateTable('jobs')
    .where('tenant_id', '=', lease.tenantId)
    .where('id', '=', lease.jobId)
    .where('owner', '=', lease.owner)
    .where('claim', '=', lease.claim)
    .where('status', '=', 'running')
}

/** Cancels a queued job, which has no worker. */
export async function cancelQueued(db: Db, tenantId: string, jobId: string, at: string, by: string): Promise<number> {
  const updated = await db
    .updateTable('jobs')
    .set((eb) => ({
      status: 'cancelled',
      ended_at: at,
      cancel_requested_at: eb.fn.coalesce('cancel_requested_at', eb.val(at)),
      cancel_requested_by: eb.fn.coalesce('cancel_requested_by', eb.val(by)),
      last_sequence: eb('last_sequence', '+', 1),
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', jobId)
    .where('status', '=', 'queued')
    .returning('last_sequence')
    .executeTakeFirstOrThrow()
  return updated.last_sequence
}

/** Requests the cancellation of a running job, for the first person who asks. Returns undefined if it was already requested. */
export async function requestCancel(
  db: Db,
  tenantId: string,
  jobId: string,
  at: string,
  by: string,
): Promise<number | undefined> {
  const [updated] = await db
    .updateTable('jobs')
    .set((eb) => ({
      cancel_requested_at: at,
      cancel_requested_by: by,
      last_sequence: eb('last_sequence', '+', 1),
    }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', jobId)
    .where('status', '=', 'running')
    .where('cancel_requested_at', 'is', null)
    .returning('last_sequence')
    .execute()
  return updated?.last_sequence
}

const effectResult = prepared<{ tenantId: string; lineageId: string; step: string }>()((db, param) =>
  db
    .selectFrom('job_effects')
    .select('result_json')
    .where('tenant_id', '=', param('tenantId'))
    .where('lineage_id', '=', param('lineageId'))
    .where('step', '=', param('step')),
)

export async function findEffect<T>(
  db: Db,
  effect: { tenantId: string; lineageId: string; step: string },
): Promise<{ result: T } | undefined> {
  const [found] = await effectResult(db, effect)
  return found === undefined ? undefined : { result: JSON.parse(found.result_json) }
}

export async function insertEffect(
  db: Db,
  effect: { tenantId: string; lineageId: string; step: string; jobId: string; result: unknown; at: string },
): Promise<void> {
  await db
    .insertInto('job_effects')
    .values({
      tenant_id: effect.tenantId,
      lineage_id: effect.lineageId,
      step: effect.step,
      job_id: effect.jobId,
      result_json: JSON.stringify(effect.result ?? null),
      at: effect.at,
    })
    .execute()
}
