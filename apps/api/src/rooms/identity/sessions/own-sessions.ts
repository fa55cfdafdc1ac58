import { type Cursors, type Page, toPage } from '../../../http/pagination.ts'
import { notFound } from '../../../lib/app-error.ts'
import { change, type Tx, unchanged } from '../../../store/change.ts'
import type { Store } from '../../../store/store.ts'
import type { Caller } from '../accounts.ts'
import type { OwnSession } from '../people/users.schema.ts'
import { countSessionsOfUser, deleteSessionsOfUser, listSessionsOfUser } from './sessions.queries.ts'

/** Where one is signed in, in all tenants, the newest first. */
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
    toItem: ({ tenantId, tenantName, secondFactorAt, ...session }): OwnSession => ({
      ...session,
      current: session.id === sessionId,
      tenant: { id: tenantId, name: tenantName },
      assurance: secondFactorAt === null ? 'password' : 'mfa',
    }),
    cursorAfter: ({ createdAt, id }) => cursors.encode(binding, [createdAt, id]),
    total: { value: await countSessionsOfUser(store.reader, userId, now), counts: 'matching_set', asOf: now },
  })
}

/** Ends one of one's own sessions. Errors: `not_found`, for another person's too. */
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

/** Ends all of one's own sessions but this one, and answers how many. */
export async function revokeOtherSessions(store: Store, { actor, sessionId, client }: Caller): Promise<number> {
  const { value } = await change(store, actor, { permission: null, action: 'session.revoke' }, async (tx) => {
    const ended = await endSessionsOf(tx, actor.userId, { except: sessionId, after: { ...client } })
    return ended === 0 ? unchanged(0) : ended
  })
  return value
}

/** Ends the sessions of a person as part of a change, with an event when there were any. Answers how many. */
export async function endSessionsOf(
  tx: Tx,
  userId: string,
  { except, after = {} }: { except?: string; after?: Record<string, unknown> } = {},
): Promise<number> {
  const ended = await deleteSessionsOfUser(tx.db, userId, except)
  if (ended.length > 0) {
    await tx.record({
      action: 'session.revoke',
      subject: { type: 'user', id: userId },
      after: { ...after, ended: ended.length },
    })
  }
  return ended.length
}
