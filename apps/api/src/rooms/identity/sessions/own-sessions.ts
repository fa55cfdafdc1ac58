import { type Cursors, type Page, toPage } from '../../../http/pagination.ts'
import { notFound } from '../../../lib/app-error.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import type { OwnSession } from '../accounts/users.schema.ts'
import type { Caller } from './account-context.ts'
import { assuranceOf } from './session-state.rules.ts'
import {
  countSessionsOfUser,
  deleteSessionsOfMember,
  deleteSessionsOfUser,
  listSessionsOfUser,
} from './sessions.queries.ts'

/** Lists the caller's sessions in all tenants, newest first. */
export async function listOwnSessions(
  store: Store,
  cursors: Cursors,
  { actor, sessionId }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<OwnSession>> {
  const { userId } = actor
  const binding = [userId, 'sessions']
  const after = cursor === undefined ? undefined : cursors.decode(binding, cursor)
  const now = store.clock().toISOString()
  return toPage({
    rows: await listSessionsOfUser(store.reader, userId, { now, after, limit }),
    limit,
    toItem: ({ tenantId, tenantName, secondFactorAt, companyAt, ...session }): OwnSession => ({
      ...session,
      current: session.id === sessionId,
      tenant: { id: tenantId, name: tenantName },
      assurance: assuranceOf({ secondFactorAt, companyAt }),
    }),
    cursorAfter: ({ createdAt, id }) => cursors.encode(binding, [createdAt, id]),
    total: { value: await countSessionsOfUser(store.reader, userId, now), counts: 'matching_set', asOf: now },
  })
}

/** Ends one of the caller's sessions. Errors: `not_found`, also for another person's session. */
export async function revokeOwnSession(store: Store, { actor, client }: Caller, id: string): Promise<void> {
  await change(store, actor, { permission: null, action: 'session.revoke' }, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw notFound()
    await tx.record({ subject: { type: 'session', id }, after: { ...client } })
  })
}

/** Ends all of the caller's sessions except the current one, and returns their number. */
export async function revokeOtherSessions(store: Store, { actor, sessionId, client }: Caller): Promise<number> {
  const { value } = await change(store, actor, { permission: null, action: 'session.revoke' }, async (tx) => {
    const ended = await endSessionsOf(tx, actor.userId, { except: sessionId, after: { ...client } })
    return ended === 0 ? unchanged(0) : ended
  })
  return value
}

/**
 * Ends a person's sessions in every tenant, as part of a change by the person or by the platform's operator. Returns their number, and records an
 * event if there were any. The event counts only the sessions in the tenant of the change, because that tenant's administrators read it.
 */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  { except, after = {} }: { except?: string; after?: Record<string, unknown> } = {},
): Promise<number> {
  const tenantsOfEnded = await deleteSessionsOfUser(tx.db, userId, except)
  const here = tenantsOfEnded.filter((tenantId) => tenantId === tx.actor.tenantId)
  if (tenantsOfEnded.length > 0) await recordEnded(tx, userId, { ...after, ended: here.length })
  return tenantsOfEnded.length
}

/**
 * Ends a member's sessions in the tenant of this change and returns their number. Records an event if there were any sessions, or in any case with
 * `always`. Sessions in other tenants continue there but can no longer switch to this tenant (docs/decisions/tenants-own-memberships.md).
 */
export async function endSessionsHere(
  tx: Tx,
  userId: string,
  { after = {}, always = false }: { after?: Record<string, unknown>; always?: boolean } = {},
): Promise<number> {
  const ended = await deleteSessionsOfMember(tx.db, { tenantId: tx.actor.tenantId, userId })
  if (ended > 0 || always) await recordEnded(tx, userId, { ...after, ended })
  return ended
}

async function recordEnded(tx: Tx, userId: string, after: Record<string, unknown>): Promise<void> {
  await tx.record({ action: 'session.revoke', subject: { type: 'user', id: userId }, after })
}
