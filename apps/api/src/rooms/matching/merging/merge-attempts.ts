import { type Actor, actorKey } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Store } from '../../../store/store.ts'
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
 * The door for attempts that came to nothing: not through `change()`, because what stopped them may be the audit itself. It writes
 * that something was tried and why it ended, and nothing else.
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
 * No merge and no reversal takes this long: one that was begun before was cut off. So was one that was begun as much ahead of now: the
 * clock was set back since (docs/decisions/clock-changes.md).
 */
const LOST_AFTER_MS = 60_000

/**
 * Says of attempts that a crash cut off that they came to nothing: what a merge or a reversal does it does in one change, which ends its
 * attempt as well, so nothing of one that is still `begun` was kept. Should it be at work after all, it finds its attempt ended and is
 * undone. Answers how many there were.
 */
export async function endLostAttempts(store: Store, lostAfterMs: number = LOST_AFTER_MS): Promise<number> {
  const now = store.clock().getTime()
  const lost = await selectBegunOutside(store.reader, {
    from: new Date(now - lostAfterMs).toISOString(),
    until: new Date(now + lostAfterMs).toISOString(),
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

/** Something that a person can read and act upon; all else stopped the change and wants looking into. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== 'unavailable'
}

/** As what an attempt that ended is answered: a refusal, and a store that cannot be had for the moment, as themselves. */
export function stoppedBy(error: unknown, what: 'merge' | 'reversal'): AppError {
  if (error instanceof AppError) return error
  return new AppError(
    'merge_stopped',
    `The ${what} was stopped and nothing of the records was changed. The attempt is recorded; find out why before it is tried again.`,
    { cause: error },
  )
}
