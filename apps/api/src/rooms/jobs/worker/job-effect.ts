import type { Actor } from '../../../lib/actor.ts'
import type { AuditAction, Permission } from '../../../lib/declared.ts'
import { change, isUnchanged, type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { ChangeStore } from '../../../store/change/change-store.ts'
import { findEffect, insertEffect, isLeaseHeld, type Lease } from '../queue/job-writes.ts'
import { JobInterrupted } from './job-interrupted.ts'

/**
 * The data of a worker that every effect of a job needs: its lease, the lineage for the ledger, and the required permission. It is plain data, so
 * that it can be posted to threads.
 */
export type Claim = { lease: Lease; lineageId: string; permission: Permission }

/** Runs an effect once per lineage and step; see `JobContext`. */
export type Effect = <T>(
  step: string,
  options: { action: AuditAction },
  work: (tx: Tx) => Promise<T | Unchanged<T>>,
) => Promise<T>

/**
 * Runs an effect once for a job's lineage and step (`JobContext.effect`), on any store of this program. Errors: `JobInterrupted` (the worker lost the
 * lease), those of `change`, and those of the work. After an error nothing is written.
 */
export async function effectOf<T>(
  store: ChangeStore,
  { lease, lineageId, permission }: Claim,
  actor: Actor,
  { step, action }: { step: string; action: AuditAction },
  work: (tx: Tx) => Promise<T | Unchanged<T>>,
): Promise<T> {
  const { tenantId, jobId } = lease
  const { value } = await change<T>(store, actor, { permission, action }, async (tx) => {
    if (!(await isLeaseHeld(tx.db, lease))) throw new JobInterrupted('lease_lost')
    const kept = await findEffect<T>(tx.db, { tenantId, lineageId, step })
    if (kept !== undefined) return unchanged(kept.result)
    const result = await work(tx)
    if (!isUnchanged(result)) await insertEffect(tx.db, { tenantId, lineageId, step, jobId, result, at: tx.at })
    return result
  })
  return value
}
