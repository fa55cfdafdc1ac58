import { sql } from 'kysely'
import type { AuditFollower, Beginning, Begun } from '../../../store/change/audit-follower.ts'
import type { FollowedEvent } from '../../../store/change/follow-audit.queries.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import { familyOf } from '../../businesses/businesses.ts'
import type { DraftContext } from '../checks/read-check-input.ts'
import { followerName, type LiveFilter, selectLiveIds, selectLiveIdsOf } from '../writing/drafts.queries.ts'
import { endDue } from './draft-ends.ts'
import { type Happened, settle } from './settle-drafts.ts'

const DRAFTS_AT_ONCE = 200

/** Actions that may end approvals of any prospect. */
const ofTheTenant = /^(?:(?:suppression|draft_policy|user|tenant|store)\.|assist\.policy_)/
/** Those of them that end no approval: a proposed version is not in force, and without an entry more is allowed. */
const endsNone = /^(?:draft_policy\.(?:propose|reject|approval_failed)|suppression\.remove)$/
/** Changes of this room that end no approval. A save may: another assignee is another sender. */
const ofDrafts = /^(draft(?!\.save)|draft_template)\./

/**
 * Stores the end of approvals and requests, with its time and causes. No decision depends on it: every read, approval and copy judges the draft again.
 * A tenant is followed from its first draft on: `createDraft` stores the first position.
 */
export function draftFollower(context: DraftContext): AuditFollower {
  return {
    name: followerName,
    wants: (event) => (event.business_id !== null ? !ofDrafts.test(event.action) : reachOf(event) !== undefined),
    on: (tenantId, events, isStopped) => follow(context, tenantId, events, isStopped),
    begin: (tenantId, beginning) => begin(context, tenantId, beginning),
  }
}

/** Follows the audit of every tenant to its end. */
export function followDrafts(context: DraftContext): Promise<void> {
  return followToEnd(context.store, [draftFollower(context)])
}

async function begin(context: DraftContext, tenantId: string, beginning: Beginning): Promise<Begun | null> {
  const { cause, newest, isStopped } = beginning
  if (cause === 'new') return null
  await settleAll(context, tenantId, { reach: {}, event: null }, isStopped)
  return { sequence: newest, version: '' }
}

async function follow(
  context: DraftContext,
  tenantId: string,
  events: readonly FollowedEvent[],
  isStopped: () => boolean,
): Promise<boolean> {
  const { reader } = context.store
  if ((await selectLiveIds(reader, { tenantId, after: '', limit: 1 })).length === 0) return false
  // Ends by time first: their cause is the time, not the event that the audit records about it.
  await endDue(context, tenantId, isStopped)
  const lastByReach = new Map(
    events.flatMap((event) => {
      const reach = reachOf(event)
      return reach === undefined ? [] : [[JSON.stringify(reach), { reach, event }] as const]
    }),
  )
  for (const { reach, event } of lastByReach.values()) await settleAll(context, tenantId, { reach, event }, isStopped)
  const byBusiness = new Map(
    events.flatMap((event) => (event.business_id === null ? [] : [[event.business_id, event] as const])),
  )
  await settleBusinesses(context, tenantId, byBusiness, isStopped)
  return true
}

/** Returns which live drafts an event can end, beyond those of its record; undefined: none. An event of a new kind can end all. */
function reachOf({ action, subject_id: id }: FollowedEvent): LiveFilter | undefined {
  if (!ofTheTenant.test(action) || endsNone.test(action)) return undefined
  if (action.startsWith('user.')) return { assigneeId: id }
  if (action.startsWith('draft_policy.')) return { policyId: id }
  return action.startsWith('assist.') ? { hasSuggestion: true } : {}
}

async function settleAll(
  context: DraftContext,
  tenantId: string,
  { reach, event }: { reach: LiveFilter; event: Happened },
  isStopped: () => boolean,
): Promise<void> {
  let after = ''
  while (!isStopped()) {
    const ids = await selectLiveIds(context.store.reader, { tenantId, after, limit: DRAFTS_AT_ONCE, ...reach })
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
