import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { csrfTokens } from '../../http/session-guard.ts'
import type { UserActor } from '../../lib/actor.ts'
import { AppError, notFound } from '../../lib/app-error.ts'
import { sha256 } from '../../lib/hashing.ts'
import { newId } from '../../lib/ids.ts'
import { type ChangeOptions, type ChangeResult, change, type Tx, unchanged } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import {
  findLiveSession,
  findMembership,
  findSessionDetails,
  listTenantsOfUser,
  type Member,
} from './identity.queries.ts'
import type { Session } from './identity.schema.ts'
import { permissionsOf } from './permissions.ts'

const TOKEN_BYTES = 32
/** A session's last use is written down at most this often. */
const SEEN_EVERY_MS = 60_000
/** Expired sessions that one sign-in clears away: more than it adds, so they cannot pile up. */
const MAX_PRUNED = 100

export type SessionLifetime = { idleMs: number; absoluteMs: number }

type ErrorLog = { error(details: object, message: string): void }

/**
 * How the session guard learns who is behind a cookie, at the beginning of every request: one prepared query, and nothing is
 * made but the actor. A session that is used stays alive: once a minute at most its idle time starts anew, written behind the
 * request's back. That is bookkeeping of the session and no change of a record, so it has this door of its own and no audit event.
 */
export function actorFinder(
  store: Store,
  log: ErrorLog,
): (token: string, correlationId: string) => Promise<UserActor | undefined> {
  const moving = new Set<string>()

  async function moveOn(tokenHash: string, seenAt: string, idleMs: number): Promise<void> {
    if (moving.has(tokenHash)) return
    moving.add(tokenHash)
    try {
      await markSeen(store, tokenHash, { seenAt, idleMs })
    } catch (error) {
      log.error({ err: error }, 'the last use of a session could not be written')
    } finally {
      moving.delete(tokenHash)
    }
  }

  return async (token, correlationId) => {
    const tokenHash = sha256(token)
    const now = store.clock()
    const session = await findLiveSession(store.reader, tokenHash, now.toISOString())
    if (session === undefined) return undefined
    const seenMs = Date.parse(session.seenAt)
    if (now.getTime() - seenMs >= SEEN_EVERY_MS) {
      void moveOn(tokenHash, now.toISOString(), Date.parse(session.idleExpiresAt) - seenMs)
    }
    return userActor(session, correlationId)
  }
}

function userActor({ tenantId, userId, role }: Member, correlationId: string): UserActor {
  return { kind: 'user', tenantId, userId, correlationId, permissions: permissionsOf(role) }
}

/** A session keeps the idle time that it began with, never past its absolute end. */
async function markSeen(
  store: Store,
  tokenHash: string,
  { seenAt, idleMs }: { seenAt: string; idleMs: number },
): Promise<void> {
  const idleExpiresAt = new Date(Date.parse(seenAt) + idleMs).toISOString()
  await store.writes.write(async () => {
    await store.writer
      .updateTable('sessions')
      .set({ seen_at: seenAt, idle_expires_at: sql<string>`min(${idleExpiresAt}, expires_at)` })
      .where('token_hash', '=', tokenHash)
      .execute()
    return { keep: true, value: undefined }
  })
}

/**
 * Begins a session and answers its token: 256 random bits that go into the cookie, while the store keeps their SHA-256.
 * The row and the audit event `session.start` are one change.
 */
export async function startSession(
  store: Store,
  member: Member,
  { lifetime, correlationId }: { lifetime: SessionLifetime; correlationId: string },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await change(store, userActor(member, correlationId), { permission: null, action: 'session.start' }, async (tx) => {
    await pruneSessions(tx)
    const id = newId()
    const startMs = Date.parse(tx.at)
    const after = (ms: number) => new Date(startMs + ms).toISOString()
    const expiresAt = after(lifetime.absoluteMs)
    await tx.db
      .insertInto('sessions')
      .values({
        token_hash: sha256(token),
        id,
        user_id: member.userId,
        tenant_id: member.tenantId,
        assurance: 'password',
        created_at: tx.at,
        seen_at: tx.at,
        idle_expires_at: after(Math.min(lifetime.idleMs, lifetime.absoluteMs)),
        expires_at: expiresAt,
      })
      .execute()
    await tx.record({ subject: { type: 'session', id }, after: { assurance: 'password', expiresAt } })
  })
  return token
}

/** Forgets some sessions past their absolute end; those that only idled out wait until then. */
async function pruneSessions(tx: Tx): Promise<void> {
  const expired = tx.db.selectFrom('sessions').select('token_hash').where('expires_at', '<=', tx.at).limit(MAX_PRUNED)
  await tx.db.deleteFrom('sessions').where('token_hash', 'in', expired).execute()
}

/** Ends the session of this token for good. One that is gone already is no error and writes nothing. */
export async function endSession(store: Store, actor: UserActor, token: string): Promise<void> {
  await change(store, actor, { permission: null, action: 'session.end' }, async (tx) => {
    const ended = await tx.db
      .deleteFrom('sessions')
      .where('token_hash', '=', sha256(token))
      .returning('id')
      .executeTakeFirst()
    if (ended === undefined) return unchanged(undefined)
    await tx.record({ subject: { type: 'session', id: ended.id } })
  })
}

/**
 * Moves the session into another tenant of its user. The event goes to the tenant that is entered and does not say which was
 * left: that is nobody's business there. Errors: `not_found` for a tenant that the user is no member of, there or not.
 */
export async function switchTenant(
  store: Store,
  actor: UserActor,
  { token, tenantId, idempotency }: { token: string; tenantId: string; idempotency: ChangeOptions['idempotency'] },
): Promise<ChangeResult<{ tenantId: string }>> {
  const member = await findMembership(store.reader, tenantId, actor.userId)
  if (member === undefined) throw notFound()
  const entering = userActor(member, actor.correlationId)
  const options = { permission: null, action: 'session.switch_tenant', idempotency }
  return change(store, entering, options, async (tx) => {
    const moved = await tx.db
      .updateTable('sessions')
      .set({ tenant_id: tenantId })
      .where('token_hash', '=', sha256(token))
      .where('tenant_id', '<>', tenantId)
      .returning('id')
      .executeTakeFirst()
    if (moved === undefined) return unchanged({ tenantId })
    await tx.record({ subject: { type: 'session', id: moved.id } })
    return { tenantId }
  })
}

/** The session as its person sees it, with the token that its changes must carry. */
export async function getSession(store: Store, token: string): Promise<Session> {
  const details = await findSessionDetails(store.reader, sha256(token))
  if (details === undefined) throw new AppError('authentication_required', 'This session has ended. Sign in to go on.')
  const tenants = await listTenantsOfUser(store.reader, details.userId)
  return {
    user: { id: details.userId, email: details.email, name: details.userName },
    tenant: { id: details.tenantId, name: details.tenantName, timeZone: details.timeZone },
    tenants,
    role: details.role,
    permissions: [...permissionsOf(details.role)].sort(),
    csrfToken: csrfTokens(store.keys)(token),
    assurance: details.assurance,
    idleExpiresAt: details.idleExpiresAt,
    expiresAt: details.expiresAt,
  }
}
