import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Upkeep } from '../../room.ts'
import { dueAt, judgeDraft } from '../checks/judge-draft.ts'
import type { DraftContext } from '../checks/read-check-input.ts'
import { expirePolicies } from '../policies/expire-policies.ts'
import { selectDue, updateDraft } from '../writing/drafts.queries.ts'
import { settle } from './settle-drafts.ts'

const DRAFTS_AT_ONCE = 200

/** Stores the ends of requests, approvals and policies that are reached by time alone. `draftFollower` stores other ends. */
export const endDueDrafts: Upkeep<DraftContext> = {
  name: 'end drafts and their policies',
  everyMs: 5_000,
  limit: DRAFTS_AT_ONCE,
  forTenant: async ({ tenantId, limit, isStopped, ...context }) => {
    await endDue(context, tenantId, isStopped, limit)
    await expirePolicies(context.store, tenantId, isStopped)
  },
}

/** Stores the end of requests and approvals whose end, or that of what they are bound to, was reached. */
export async function endDue(
  context: DraftContext,
  tenantId: string,
  isStopped: () => boolean,
  limit: number = DRAFTS_AT_ONCE,
): Promise<void> {
  const { store } = context
  while (!isStopped()) {
    const now = store.clock().toISOString()
    const ids = await selectDue(store.reader, { tenantId, now, limit })
    if (ids.length === 0) return
    await settle(context, tenantId, ids, null, isStopped)
    await postpone(context, tenantId, ids, now)
  }
}

/** Sets a later due time for drafts that did not end, because their policy, basis or evidence was renewed. */
async function postpone(
  { store, adapters }: DraftContext,
  tenantId: string,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await writeDerived(store, tenantId, async (db) => {
    for (const id of ids) {
      const judged = await judgeDraft({ db, keys: store.keys, adapters }, { tenantId, id, personId: '', at: now })
      const { row, request } = judged
      if (row.due_at === null || row.due_at > now) continue
      const endsAt = row.state === 'approved' ? request?.approval_ends_at : request?.expires_at
      await updateDraft(db, row, { due_at: endsAt == null ? null : dueAt(judged, endsAt) })
    }
  })
}
