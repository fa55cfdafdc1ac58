import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { csrfTokens, type SessionHolder } from '../../../http/session-guard.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { LimitWords } from '../../../lib/limit-reached.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import { untilWritten } from '../../../store/change/until-written.ts'
import type { Database } from '../../../store/database.ts'
import { smaller } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import type { Client } from '../accounts/request-origin.ts'
import { findActiveMember, findMembership, listTenantsOfUser, type Member } from '../identity.queries.ts'
import type { Session } from '../identity.schema.ts'
import { permissionsOf } from '../permissions.ts'
import type { SessionLifetime } from './account-context.ts'
import {
  assuranceOf,
  freshUntil,
  hasExpired,
  holdOf,
  isFresh,
  isSecondFactorRequired,
  type SecondFactorPolicy,
  stepUpMethod,
} from './session-state.rules.ts'
import {
  deleteOldestSessions,
  findSession,
  findSessionAtDoor,
  findSessionDetails,
  listMethods,
} from './sessions.queries.ts'
import { pruneSpentTokens } from './spent-tokens.ts'

const TOKEN_BYTES = 32
/** Minimum interval between two writes of a session's last use. If the clock was set back by more than this, the last use is written at once. */
const SEEN_EVERY_MS = 60_000
/** Maximum number of cached sessions. Any write to the store empties the cache. */
const MAX_AT_HAND = 1_000
/** Maximum number of expired sessions that one sign-in deletes. It is more than a sign-in adds, so they cannot accumulate. */
const MAX_PRUNED = 100

/** Active sessions of a person in all tenants. */
export const sessionLimit = {
  name: 'sessions',
  of: 'person',
  label: 'active sessions',
  remedy: 'A further sign-in ends the oldest session.',
  max: 20,
} as const satisfies LimitWords & { max: number }

type ErrorLog = { error(details: object, message: string): void }

/**
 * Returns the function by which the session guard identifies the person of a cookie at the start of every request. It runs one prepared query, or
 * none if nothing was written to the store since the last one. Ending a session or changing a permission therefore takes effect at once. A request
 * restarts the idle time of its session, at most once a minute, and does not wait for that write. The write has no audit event, because it contains
 * no decision.
 */
export function actorFinder(
  store: Store,
  policy: SecondFactorPolicy,
  log: ErrorLog,
): (token: string, correlationId: string) => Promise<SessionHolder | undefined> {
  const find = untilWritten(store, MAX_AT_HAND, (tokenHash) => findSession(store.reader, tokenHash))
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
    const nowMs = now.getTime()
    const session = await find(tokenHash)
    if (session === undefined || hasExpired(session, nowMs)) return undefined
    const seenMs = Date.parse(session.seenAt)
    if (Math.abs(nowMs - seenMs) >= SEEN_EVERY_MS) {
      void moveOn(tokenHash, now.toISOString(), Date.parse(session.idleExpiresAt) - seenMs)
    }
    return {
      actor: userActor(session, correlationId),
      sessionId: session.sessionId,
      hold: holdOf(session, policy),
      isFresh: isFresh(session, policy, nowMs),
    }
  }
}

/**
 * Returns a function by which a long response checks whether its session is still valid. The function returns the person, or undefined if the session
 * has ended or needs a further step first. The check does not extend the session, because an open page without a user must not keep the session
 * alive.
 */
export function sessionWatcher(
  store: Store,
  policy: SecondFactorPolicy,
): (token: string, correlationId: string) => Promise<UserActor | undefined> {
  return async (token, correlationId) => {
    const session = await findSession(store.reader, sha256(token))
    if (session === undefined || hasExpired(session, store.clock().getTime())) return undefined
    if (holdOf(session, policy) !== null) return undefined
    return userActor(session, correlationId)
  }
}

/**
 * Returns an active member as an actor with their current permissions, without a session. Returns undefined if the member may no longer sign in here.
 */
export async function memberActor(
  db: Kysely<Database>,
  member: { tenantId: string; userId: string },
  correlationId: string,
): Promise<UserActor | undefined> {
  const found = await findActiveMember(db, member.tenantId, member.userId)
  return found === undefined ? undefined : userActor(found, correlationId)
}

function userActor({ tenantId, userId, role }: Member, correlationId: string): UserActor {
  return { kind: 'user', tenantId, userId, correlationId, permissions: permissionsOf(role) }
}

/** Records the last use of a session and restarts its idle time, but never beyond its latest possible end. */
async function markSeen(
  store: Store,
  tokenHash: string,
  { seenAt, idleMs }: { seenAt: string; idleMs: number },
): Promise<void> {
  const idleExpiresAt = new Date(Date.parse(seenAt) + idleMs).toISOString()
  await store.write('accounts', async (db) => {
    await db
      .updateTable('sessions')
      .set({ seen_at: seenAt, idle_expires_at: smaller<string>(idleExpiresAt, sql.ref('expires_at')) })
      .where('token_hash', '=', tokenHash)
      .execute()
    return { keep: true, value: undefined }
  })
}

export type StartSession = {
  lifetime: SessionLifetime
  correlationId: string
  client: Client
  /** the proofs that were given: the password, the password and a second factor, a passkey instead of both, or a company account */
  by: 'password' | 'password and second factor' | 'passkey' | 'company sign-in'
  /** when the company's provider checked a second factor, if it is trusted for that */
  companyFactorAt?: string | null
  /** consumes the proof in the transaction of the session; if the proof was used already, it throws and no session begins */
  consume?: (tx: Tx) => Promise<unknown>
}

/**
 * Begins a session and returns its token, 256 random bits for the cookie. The store contains only the SHA-256 of the token. The session and the audit
 * event `session.start` are one change. The oldest sessions beyond `sessionLimit` end in it.
 */
export async function startSession(
  store: Store,
  member: Member,
  { lifetime, correlationId, client, by, companyFactorAt = null, consume }: StartSession,
): Promise<string> {
  const token = newToken()
  await change(store, userActor(member, correlationId), { permission: null, action: 'session.start' }, async (tx) => {
    await consume?.(tx)
    await pruneSessions(tx)
    await endOldest(tx, member.userId, client)
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
        password_at: by === 'password' || by === 'password and second factor' ? tx.at : null,
        second_factor_at: by === 'passkey' || by === 'password and second factor' ? tx.at : null,
        company_at: by === 'company sign-in' ? tx.at : null,
        company_factor_at: companyFactorAt,
        address: client.address,
        agent: client.agent,
        created_at: tx.at,
        seen_at: tx.at,
        idle_expires_at: after(Math.min(lifetime.idleMs, lifetime.absoluteMs)),
        expires_at: expiresAt,
      })
      .execute()
    await markSignIn(tx, member)
    await tx.record({
      subject: { type: 'session', id },
      after: { ...client, by, ...(companyFactorAt === null ? {} : { companyFactorAt }), expiresAt },
    })
  })
  return token
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

async function markSignIn(tx: Tx, { tenantId, userId }: Member): Promise<void> {
  await tx.db
    .updateTable('memberships')
    .set({ last_sign_in_at: tx.at })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
}

/** Deletes some sessions past their latest possible end. Sessions that ended because they were idle remain until then. */
async function pruneSessions(tx: Tx): Promise<void> {
  const expired = tx.db.selectFrom('sessions').select('token_hash').where('expires_at', '<=', tx.at).limit(MAX_PRUNED)
  await tx.db.deleteFrom('sessions').where('token_hash', 'in', expired).execute()
  await pruneSpentTokens(tx)
}

/**
 * Ends the oldest sessions of the person, so that a further one does not exceed the limit. Without the limit, one person could occupy all streams of
 * a tenant with sessions. Each ended session has its own event in the tenant of this sign-in.
 */
async function endOldest(tx: Tx, userId: string, client: Client): Promise<void> {
  const ended = await deleteOldestSessions(tx.db, { userId, now: tx.at, most: sessionLimit.max - 1 })
  for (const id of ended)
    await tx.record({
      action: 'session.revoke',
      subject: { type: 'session', id },
      after: { ...client, limit: sessionLimit.name },
    })
}

/** Replaces the token of a session. The old token becomes invalid. Errors: `authentication_required` (the session has ended). */
export async function rotateToken(
  tx: Tx,
  sessionId: string,
  shown: { password_at?: string; second_factor_at?: string },
): Promise<string> {
  const token = newToken()
  const rotated = await tx.db
    .updateTable('sessions')
    .set({ ...shown, token_hash: sha256(token) })
    .where('id', '=', sessionId)
    .returning('id')
    .executeTakeFirst()
  if (rotated === undefined) throw sessionEnded()
  return token
}

/** Ends the session of this token. Does nothing if there is none. */
export async function endSession(store: Store, actor: UserActor, token: string, client: Client): Promise<void> {
  await change(store, actor, { permission: null, action: 'session.end' }, async (tx) => {
    const ended = await tx.db
      .deleteFrom('sessions')
      .where('token_hash', '=', sha256(token))
      .returning('id')
      .executeTakeFirst()
    if (ended === undefined) return unchanged(undefined)
    await tx.record({ subject: { type: 'session', id: ended.id }, after: { ...client } })
  })
}

/**
 * Switches the session to another tenant of its user. The event is recorded in the entered tenant. It does not name the tenant that was left, because
 * memberships elsewhere are confidential. Errors: `not_found` (the tenant does not exist, or the user does not belong to it);
 * `authentication_required` (the session has ended, or began before that tenant ended the person's sessions).
 */
export async function switchTenant(
  store: Store,
  actor: UserActor,
  { token, tenantId, client }: { token: string; tenantId: string; client: Client },
): Promise<void> {
  const member = await findMembership(store.reader, tenantId, actor.userId)
  if (member === undefined) throw notFound()
  const entering = userActor(member, actor.correlationId)
  await change(store, entering, { permission: null, action: 'session.switch_tenant' }, async (tx) => {
    const tokenHash = sha256(token)
    const session = await findSessionAtDoor(tx.db, tokenHash, member)
    if (session === undefined) throw sessionEnded()
    if (session.tenantId === tenantId) return unchanged(undefined)
    if (!session.isValidThere) {
      throw new AppError(
        'authentication_required',
        'Your sessions in that workspace ended after you signed in here. Sign out, then sign in again to enter that workspace.',
      )
    }
    await tx.db.updateTable('sessions').set({ tenant_id: tenantId }).where('token_hash', '=', tokenHash).execute()
    await markSignIn(tx, member)
    await tx.record({ subject: { type: 'session', id: session.id }, after: { ...client } })
  })
}

/** Returns the session with everything that its person may see, including the CSRF token for its changes. */
export async function getSession(store: Store, policy: SecondFactorPolicy, token: string): Promise<Session> {
  const details = await findSessionDetails(store.reader, sha256(token))
  if (details === undefined) throw sessionEnded()
  return {
    user: { id: details.userId, email: details.email, name: details.userName },
    tenant: {
      id: details.tenantId,
      name: details.tenantName,
      timeZone: details.timeZone,
      country: details.country,
      locale: details.locale,
    },
    tenants: await listTenantsOfUser(store.reader, details.userId),
    role: details.role,
    permissions: [...permissionsOf(details.role)].sort(),
    csrfToken: csrfTokens(store.keys)(token),
    sessionId: details.sessionId,
    assurance: assuranceOf(details),
    hold: holdOf(details, policy),
    mustChangePassword: details.mustChangePassword,
    secondFactor: {
      enrolled: details.hasSecondFactor,
      required: isSecondFactorRequired(details.role, policy),
      methods: await listMethods(store.reader, details.userId),
      verifiedAt: details.secondFactorAt,
    },
    stepUp: { method: stepUpMethod(details), freshUntil: freshUntil(details, policy, store.clock().getTime()) },
    idleExpiresAt: details.idleExpiresAt,
    expiresAt: details.expiresAt,
  }
}

function sessionEnded(): AppError {
  return new AppError('authentication_required', 'This session has ended. Sign in to continue.')
}
