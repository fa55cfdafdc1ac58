import type { FastifyRequest } from 'fastify'
import { sha256 } from '../../../lib/hashing.ts'
import { change, type Tx, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { type Client, clientOf } from '../accounts/request-origin.ts'
import { systemActor } from '../accounts/tenants-and-users.ts'
import { hasExpiredBy } from './sessions.queries.ts'

/** Maximum number of expired spent tokens that one sign-in deletes. It is more than a sign-in can add, so they cannot accumulate. */
const MAX_PRUNED = 200

export type RefusedToken = { kind: 'session' | 'link'; token: string; client: Client; correlationId: string }

/** The remaining data of an ended session or link. `hasExpired`: it expired; otherwise it was revoked or used. */
type Remains = { tenantId: string; hasExpired: boolean }

/**
 * Records in the tenant's audit that the cookie of an ended session (revoked, signed out or expired) or an ended link (used, withdrawn or expired)
 * was used again. Records each token only once, so that nobody can flood the audit. Returns false for a token that never existed or was recorded
 * already. An expired session has its own action (`session.expire`): it happens every morning, and the other cases are rare.
 */
export async function reportSpentToken(store: Store, refused: RefusedToken): Promise<boolean> {
  const { kind, client, correlationId } = refused
  const tokenHash = sha256(refused.token)
  const remains = await findRemains(store, tokenHash, kind)
  if (remains === undefined) return false
  const actor = systemActor('sign-in', remains.tenantId, correlationId)
  const action = kind === 'session' && remains.hasExpired ? 'session.expire' : (`${kind}.refuse` as const)
  const { value } = await change(store, actor, { permission: null, action }, async (tx) => {
    const expired = remains.hasExpired ? await spendExpired(tx, tokenHash, kind) : {}
    const spent = await tx.db
      .updateTable('spent_tokens')
      .set({ reported: 1 })
      .where('token_hash', '=', tokenHash)
      .where('reported', '=', 0)
      .returning(['subject_type', 'subject_id', 'session_id'])
      .executeTakeFirst()
    if (spent === undefined) return unchanged(false)
    const session = spent.session_id === null ? {} : { sessionId: spent.session_id }
    await tx.record({
      subject: { type: spent.subject_type, id: spent.subject_id },
      after: { ...client, ...session, ...expired },
    })
    return true
  })
  return value
}

/** Calls `reportSpentToken` for the session guard. A failure is only logged, because the guard refuses the request in any case. */
export async function reportRefusedCookie(store: Store, token: string, request: FastifyRequest): Promise<void> {
  try {
    await reportSpentToken(store, { kind: 'session', token, client: clientOf(request), correlationId: request.id })
  } catch (error) {
    request.log.error({ err: error }, 'the use of an ended session could not be recorded')
  }
}

async function findRemains(store: Store, tokenHash: string, kind: RefusedToken['kind']): Promise<Remains | undefined> {
  const spent = await store.reader
    .selectFrom('spent_tokens')
    .select(['tenant_id', 'kind', 'reported'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (spent !== undefined) {
    return spent.kind === kind && spent.reported === 0 ? { tenantId: spent.tenant_id, hasExpired: false } : undefined
  }
  const expired =
    kind === 'link'
      ? await store.reader
          .selectFrom('one_time_links')
          .select('tenant_id')
          .where('token_hash', '=', tokenHash)
          .executeTakeFirst()
      : await expiredSession(store, tokenHash)
  return expired && { tenantId: expired.tenant_id, hasExpired: true }
}

function expiredSession(store: Store, tokenHash: string) {
  const now = store.clock().toISOString()
  return store.reader
    .selectFrom('sessions as s')
    .select('tenant_id')
    .where('token_hash', '=', tokenHash)
    .where(hasExpiredBy(now))
    .executeTakeFirst()
}

/** Deletes an expired session or link, so that triggers insert its token as a spent one. Returns the kind of expiry of a session. */
async function spendExpired(tx: Tx, tokenHash: string, kind: RefusedToken['kind']): Promise<{ expired?: string }> {
  if (kind === 'link') {
    await tx.db
      .deleteFrom('one_time_links')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '<=', tx.at)
      .execute()
    return {}
  }
  const ended = await tx.db
    .deleteFrom('sessions as s')
    .where('token_hash', '=', tokenHash)
    .where(hasExpiredBy(tx.at))
    .returning(['expires_at', 'idle_expires_at'])
    .executeTakeFirst()
  if (ended === undefined) return {}
  if (ended.expires_at <= tx.at) return { expired: 'absolute' }
  return { expired: ended.idle_expires_at <= tx.at ? 'idle' : 'clock_set_back' }
}

export async function pruneSpentTokens(tx: Tx): Promise<void> {
  const old = tx.db.selectFrom('spent_tokens').select('token_hash').where('kept_until', '<=', tx.at).limit(MAX_PRUNED)
  await tx.db.deleteFrom('spent_tokens').where('token_hash', 'in', old).execute()
}
