import type { Logger } from 'pino'
import { eachIsolated } from '../../../lib/each-isolated.ts'
import type { Loop } from '../../../lib/every.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import { selectFollowed } from '../../../store/change/follow-audit.queries.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import type { Store } from '../../../store/store.ts'
import { systemActor } from '../../identity/identity.ts'
import { dueAt, judgeDraft } from '../checks/judge-draft.ts'
import type { DraftContext } from '../checks/read-check-input.ts'
import { nameOfPolicy, selectExpiredPolicies, updatePolicy } from '../policies/policies.queries.ts'
import { followerName, selectDue, updateDraft } from '../writing/drafts.queries.ts'
import { settle } from './settle-drafts.ts'

/** The interval at which ends that are reached by time alone are looked up. */
const EVERY_MS = 5_000
const DRAFTS_AT_ONCE = 200

/** Starts the loop that stores ends of policies, requests and approvals whose time has come. */
export function startEndingDraftsInTime(context: DraftContext, log: Pick<Logger, 'error'>): Loop {
  return everyInOneProcess(context.store, {
    name: 'draft ends',
    ms: EVERY_MS,
    work: (isStopped) => endDraftsInTime(context, isStopped),
    log,
    failed: 'storing the ends of drafts and their policies failed',
  })
}

/** Runs one round over all tenants with drafts. Errors: an `AggregateError` of the tenants that failed. */
export async function endDraftsInTime(context: DraftContext, isStopped: () => boolean = () => false): Promise<void> {
  const { store } = context
  await eachIsolated('tenant', await selectFollowed(store.reader, followerName), async (tenantId) => {
    await endDue(context, tenantId, isStopped)
    await expirePolicies(store, tenantId)
  })
}

/** Records the end of policies whose time has come. */
async function expirePolicies(store: Store, tenantId: string): Promise<void> {
  const now = store.clock().toISOString()
  if ((await selectExpiredPolicies(store.reader, tenantId, now)).length === 0) return
  const actor = systemActor('drafts', tenantId)
  await change(store, actor, { permission: null, action: 'draft_policy.expire' }, async (tx) => {
    const expired = await selectExpiredPolicies(tx.db, tenantId, now)
    if (expired.length === 0) return unchanged(undefined)
    for (const row of expired) {
      await updatePolicy(tx.db, row, { state: 'expired' })
      const after = { policy: nameOfPolicy(row), endsAt: row.ends_at }
      await tx.record({ subject: { type: 'draft_policy', id: row.id }, after })
    }
  })
}

/** Stores the end of requests and approvals whose end, or that of what they are bound to, was reached. */
export async function endDue(context: DraftContext, tenantId: string, isStopped: () => boolean): Promise<void> {
  const { store } = context
  while (!isStopped()) {
    const now = store.clock().toISOString()
    const ids = await selectDue(store.reader, { tenantId, now, limit: DRAFTS_AT_ONCE })
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
