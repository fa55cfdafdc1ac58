import { slicesOf } from '../../../lib/slices.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import type { FollowedEvent } from '../../../store/change/follow-audit.queries.ts'
import { systemActor } from '../../identity/identity.ts'
import { type Judged, judgeDraft } from '../checks/judge-draft.ts'
import { type DraftContext, readerIn, readerOf } from '../checks/read-check-input.ts'
import { updateDraft } from '../writing/drafts.queries.ts'
import { backToWriting, endWaiting } from '../writing/save-draft.ts'
import { writeEvent } from '../writing/write-event.ts'

/** Drafts of one commit: some milliseconds of the event loop. */
const DRAFTS_OF_COMMIT = 5

/** The event after which drafts are judged; null for the time alone. */
export type Happened = Pick<FollowedEvent, 'actor' | 'at'> | null

/** Judges these drafts, and stores the end of those that ended. */
export async function settle(
  context: DraftContext,
  tenantId: string,
  ids: readonly string[],
  event: Happened,
  isStopped: () => boolean,
): Promise<void> {
  const { store, adapters } = context
  const ended: string[] = []
  for (const id of ids) {
    if (isStopped()) return
    const at = store.clock().toISOString()
    const judged = await judgeDraft(readerOf(context), { tenantId, id, personId: '', at })
    if (judged.state !== judged.row.state) ended.push(id)
  }
  for (const part of slicesOf(ended, DRAFTS_OF_COMMIT)) {
    if (isStopped()) return
    const actor = systemActor('drafts', tenantId)
    await change(store, actor, { permission: null, action: 'draft.stale' }, async (tx) => {
      let stored = 0
      for (const id of part) stored += await storeEnd(tx, adapters, { id, event })
      return stored === 0 ? unchanged(undefined) : undefined
    })
  }
}

/** Stores the end of one request or approval, as it is judged in this transaction. */
async function storeEnd(
  tx: Tx,
  adapters: LoadedAdapters,
  { id, event }: { id: string; event: Happened },
): Promise<0 | 1> {
  const { tenantId } = tx.actor
  const judged = await judgeDraft(readerIn(tx, adapters), { tenantId, id, personId: '', at: tx.at })
  const { row, state, causes } = judged
  if (state === row.state) return 0
  const hasExpired = causes.every(({ code }) => code === 'expired')
  const kind = hasExpired ? 'expired' : 'stale'
  const told = causes.map((cause) => ({
    ...cause,
    at: hasExpired ? judged.now : (event?.at ?? judged.now),
    by: hasExpired ? null : (event?.actor ?? null),
  }))
  await endWaiting(tx, row, row.state === 'in_review' ? kind : 'stale')
  await updateDraft(tx.db, row, {
    ...(state === 'writing' ? backToWriting : needingReview(judged, told)),
    updated_at: tx.at,
  })
  await writeEvent(tx, row, { kind, version: row.version, causes: told })
  await tx.record({
    action: hasExpired ? 'draft.expire' : 'draft.stale',
    subject: { type: 'draft', id },
    businessId: row.business_id,
    before: { state: row.state },
    after: { state, version: row.version, causes: causes.map(({ code, subject }) => `${code} ${subject}`) },
  })
  return 1
}

function needingReview({ row, now }: Judged, causes: unknown) {
  return {
    state: 'needs_review',
    request_id: row.request_id,
    stale_since: now,
    stale_causes: JSON.stringify(causes),
    due_at: null,
  } as const
}
