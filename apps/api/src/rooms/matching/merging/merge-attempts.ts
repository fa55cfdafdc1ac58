import { type Actor, actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Store } from '../../../store/store.ts'
import type { Upkeep } from '../../room.ts'
import { failureOf } from './merge-failures.ts'
import { endAttempt, insertAttempt, selectBegunOutside } from './merges.queries.ts'
import type { MergeAttemptTable } from './merges.table.ts'

export type AttemptOf = Pick<MergeAttemptTable, 'kind' | 'suggestion_id' | 'merge_id' | 'survivor_id' | 'loser_id'>

export function attemptRow(actor: Actor, at: string, of: AttemptOf): MergeAttemptTable {
  return {
    tenant_id: actor.tenantId,
    id: newId(),
    ...of,
    snapshot_id: null,
    begun_at: at,
    begun_by: actorKey(actor),
    status: 'begun',
    stage: 'change',
    failure: null,
    ended_at: null,
  }
}

/**
 * Writes the outcome of a failed attempt outside `change()`, because a failure of the audit can be the reason why the attempt failed. Writes only the
 * status of the attempt, the reason and the time.
 */
export async function recordStop(store: Store, attempt: MergeAttemptTable | undefined, error: unknown): Promise<void> {
  if (attempt === undefined) return
  const end = {
    status: isRefusal(error) ? ('refused' as const) : ('stopped' as const),
    failure: failureOf(error),
    ended_at: store.clock().toISOString(),
  }
  await store.write({ tenantId: attempt.tenant_id }, async (db) => {
    if (attempt.stage === 'snapshot') await insertAttempt(db, { ...attempt, ...end })
    else await endAttempt(db, attempt.tenant_id, attempt.id, end)
    return { keep: true, value: undefined }
  })
}

/**
 * Age after which an open attempt counts as interrupted, because no merge or reversal takes this long. An attempt stamped this far in the future also
 * counts as interrupted: the clock was later set back (docs/decisions/clock-changes.md).
 */
const LOST_AFTER_MS = 60_000
/** Number of attempts that one round ends. */
const LOST_AT_ONCE = 100

/**
 * Marks attempts that a crash interrupted as failed and returns their number. A merge or reversal commits all of its work in the change that also
 * ends its attempt, so an attempt that is still `begun` has committed nothing. If its process is still running, that process finds the attempt ended
 * and rolls back.
 */
export async function endLostAttempts(
  store: Store,
  tenantId: string,
  lostAfterMs: number = LOST_AFTER_MS,
): Promise<number> {
  const now = store.clock().getTime()
  const lost = await selectBegunOutside(store.reader, {
    tenantId,
    from: new Date(now - lostAfterMs).toISOString(),
    until: new Date(now + lostAfterMs).toISOString(),
    limit: LOST_AT_ONCE,
  })
  for (const attempt of lost) {
    await recordStop(
      store,
      attempt,
      new Error(
        'The program ended before this was done, or could not write down why it stopped. Nothing of the records was changed.',
      ),
    )
  }
  return lost.length
}

/** Ends interrupted merges and reversals. */
export const endLostMerges: Upkeep<{ store: Store }> = {
  name: 'end interrupted merges',
  everyMs: 60_000,
  limit: 1,
  forTenant: ({ store, tenantId }) => endLostAttempts(store, tenantId),
}

/** True for a refusal that a person can read and act on. Any other error needs an investigation. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== 'unavailable'
}

/**
 * Returns the error to throw after a failed attempt: an `AppError` (a refusal or an unavailable store) unchanged, any other error as `merge_stopped`.
 */
export function stoppedBy(error: unknown, what: 'merge' | 'reversal'): AppError {
  if (error instanceof AppError) return error
  return new AppError(
    'merge_stopped',
    `The ${what} failed and the records were not changed. The attempt is recorded; find the cause before you try again.`,
    { cause: error },
  )
}
