import type { UserActor } from '../../../lib/actor.ts'
import { AppError, type ErrorCode } from '../../../lib/app-error.ts'
import { change } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { getDraftRow } from './drafts.queries.ts'

/** Refusals that say something about the draft; others, such as a reused key, say something about the request. */
const recorded: ReadonlySet<ErrorCode> = new Set([
  'own_approval',
  'draft_not_open',
  'draft_changed',
  'approval_ended',
  'suppressed',
  'checks_failed',
  'cap_reached',
])

/**
 * Runs a change, and records its refusal in a change of its own: an error rolls back the change that it is in. Errors: those of `work`.
 */
export async function recordingRefusal<T>(
  store: Store,
  actor: UserActor,
  refused: { id: string; action: 'draft.approval_failed' | 'draft.copy_refused' },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && recorded.has(error.code)) await record(store, actor, refused, error)
    throw error
  }
}

async function record(
  store: Store,
  actor: UserActor,
  { id, action }: { id: string; action: 'draft.approval_failed' | 'draft.copy_refused' },
  { code, details }: AppError,
): Promise<void> {
  await change(store, actor, { permission: null, action }, async (tx) => {
    const row = await getDraftRow(tx.db, actor.tenantId, id)
    const failing = details.errors?.map(({ path }) => path) ?? []
    await tx.record({
      subject: { type: 'draft', id },
      businessId: row.business_id,
      after: { code, version: row.version, failing },
    })
  })
}
