import { sql } from 'kysely'
import type { Logger } from 'pino'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Loop } from '../../../lib/every.ts'
import { slicesOf } from '../../../lib/slices.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { followStore } from '../../../store/change/follow-store.ts'
import { writeDerived } from '../../../store/change/write-derived.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { familyOf } from '../../businesses/businesses.ts'
import { systemActor } from '../../identity/identity.ts'
import { dueAt, type Judged, judgeDraft } from '../checks/judge-draft.ts'
import { type DraftContext, readerIn, readerOf } from '../checks/read-check-input.ts'
import { expirePolicies } from '../policies/expire-policies.ts'
import { selectDue, selectLiveIds, selectLiveIdsOf, updateDraft } from '../writing/drafts.queries.ts'
import { backToWriting, endWaiting } from '../writing/save-draft.ts'
import { writeEvent } from '../writing/write-event.ts'
import { type FollowedEvent, savePosition, selectEventsAfter, selectPositions } from './positions.queries.ts'

/** The interval of rounds without a commit, for ends that are reached by time alone. */
const LOOK_FOR_DUE_EVERY_MS = 5_000
/** Events that are read before the position is stored. */
const FOLLOWED_AT_ONCE = 200
const DRAFTS_AT_ONCE = 200
/** Drafts of one commit: some milliseconds of the event loop. */
const DRAFTS_OF_COMMIT = 5

/** Actions that may end approvals of any prospect. */
const ofTheTenant = /^(?:(?:suppression|draft_policy|user|tenant|store)\.|assist\.policy_)/
/** Changes of this room that end no approval. A save may: another assignee is another sender. */
const ofDrafts = /^(draft(?!\.save)|draft_template)\./

/**
 * Reads the audit and stores the end of approvals and requests, with its time and causes. No decision depends on it: every read, approval and
 * copy judges the draft again. The position is stored, so a crash loses no change.
 */
export function startFollowingDrafts(context: DraftContext, log: Pick<Logger, 'error'>): Loop {
  return followStore(context.store, {
    name: 'draft follower',
    alsoEveryMs: LOOK_FOR_DUE_EVERY_MS,
    work: (isStopped) => followDrafts(context, isStopped),
    log,
    failed: 'following changes of approved drafts failed',
  })
}

/** Follows the audit of every tenant with drafts to its end, and the times that were reached. */
export async function followDrafts(context: DraftContext, isStopped: () => boolean = () => false): Promise<void> {
  const { store } = context
  // Ends by time first: their cause is the time, not the event that the audit records about it.
  await endDue(context, isStopped)
  for (const { tenant_id: tenantId, sequence } of await selectPositions(store.reader)) {
    if (isStopped()) return
    await expirePolicies(store, tenantId, isStopped)
    await followTenant(context, tenantId, sequence, isStopped)
  }
}

async function followTenant(
  context: DraftContext,
  tenantId: string,
  from: number,
  isStopped: () => boolean,
): Promise<void> {
  const { store } = context
  let position = from
  while (!isStopped()) {
    const events = await selectEventsAfter(store.reader, { tenantId, after: position, limit: FOLLOWED_AT_ONCE })
    const last = events.at(-1)
    if (last === undefined) return
    const foreign = events.filter(({ action }) => !ofDrafts.test(action))
    const isLive = (await selectLiveIds(store.reader, { tenantId, after: '', limit: 1 })).length > 0
    const isFull = events.length === FOLLOWED_AT_ONCE
    // Without a live draft, the position is stored once every FOLLOWED_AT_ONCE events.
    if (!isFull && (!isLive || foreign.length === 0)) return
    const shared = !isLive ? undefined : foreign.findLast(({ action }) => ofTheTenant.test(action))
    if (shared !== undefined) await settleAll(context, tenantId, shared, isStopped)
    const byBusiness = new Map(
      foreign.flatMap((event) => (event.business_id === null ? [] : [[event.business_id, event] as const])),
    )
    if (isLive) await settleBusinesses(context, tenantId, byBusiness, isStopped)
    if (isStopped()) return
    position = last.sequence
    await writeDerived(store, tenantId, (db) => savePosition(db, tenantId, position))
    if (!isFull) return
  }
}

type Happened = Pick<FollowedEvent, 'actor' | 'at'> | null

async function settleAll(
  context: DraftContext,
  tenantId: string,
  event: Happened,
  isStopped: () => boolean,
): Promise<void> {
  let after = ''
  while (!isStopped()) {
    const ids = await selectLiveIds(context.store.reader, { tenantId, after, limit: DRAFTS_AT_ONCE })
    await settle(context, tenantId, ids, event, isStopped)
    const last = ids.at(-1)
    if (last === undefined || ids.length < DRAFTS_AT_ONCE) return
    after = last
  }
}

/** Drafts of these records, of those merged into them, and of those that they were merged into. */
async function settleBusinesses(
  context: DraftContext,
  tenantId: string,
  events: ReadonlyMap<string, FollowedEvent>,
  isStopped: () => boolean,
): Promise<void> {
  const { store } = context
  for (const [businessId, event] of events) {
    if (isStopped()) return
    const family = await familyOf(store.reader, tenantId, businessId)
    const { rows } = await sql<{ id: string }>`
      WITH RECURSIVE up (id) AS (
        SELECT value FROM ${elementsOf([businessId], 'asked')}
        UNION
        SELECT b.merged_into FROM up ${thenJoin} businesses b ON b.tenant_id = ${tenantId} AND b.id = up.id WHERE b.merged_into IS NOT NULL
      )
      SELECT id FROM up`.execute(store.reader)
    const related = [...new Set([...family, ...rows.map(({ id }) => id)])]
    await settle(context, tenantId, await selectLiveIdsOf(store.reader, tenantId, related), event, isStopped)
  }
}

/** Judges these drafts, and stores the end of those that ended. */
async function settle(
  context: DraftContext,
  tenantId: string,
  ids: readonly string[],
  event: Happened,
  isStopped: () => boolean,
): Promise<void> {
  const { store, adapters } = context
  const breathe = createBreather()
  const ended: string[] = []
  for (const id of ids) {
    if (isStopped()) return
    const at = store.clock().toISOString()
    const judged = await judgeDraft(readerOf(context), { tenantId, id, personId: '', at })
    if (judged.state !== judged.row.state) ended.push(id)
    await breathe()
  }
  for (const part of slicesOf(ended, DRAFTS_OF_COMMIT)) {
    if (isStopped()) return
    const actor = systemActor('drafts', tenantId)
    await change(store, actor, { permission: null, action: 'draft.stale' }, async (tx) => {
      let stored = 0
      for (const id of part) stored += await storeEnd(tx, adapters, { id, event })
      return stored === 0 ? unchanged(undefined) : undefined
    })
    await breathe()
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

/** Requests and approvals whose end, or that of what they are bound to, was reached. */
async function endDue(context: DraftContext, isStopped: () => boolean): Promise<void> {
  const { store } = context
  while (!isStopped()) {
    const now = store.clock().toISOString()
    const due = await selectDue(store.reader, now, DRAFTS_AT_ONCE)
    if (due.length === 0) return
    for (const [tenantId, rows] of Map.groupBy(due, ({ tenant_id }) => tenant_id)) {
      const ids = rows.map(({ id }) => id)
      await settle(context, tenantId, ids, null, isStopped)
      await postpone(context, tenantId, ids, now)
    }
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
