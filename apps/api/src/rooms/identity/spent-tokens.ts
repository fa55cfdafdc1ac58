import type { FastifyRequest } from 'fastify'
import { sha256 } from '../../lib/hashing.ts'
import { change, type Tx, unchanged } from '../../store/change.ts'
import type { Store } from '../../store/store.ts'
import { type Client, clientOf } from './client.ts'
import { systemActor } from './tenants-and-users.ts'

/** Spent tokens past their time that one sign-in clears away: more than it can add, so they cannot pile up. */
const MAX_PRUNED = 200

export type RefusedToken = { kind: 'session' | 'link'; token: string; client: Client; correlationId: string }

/**
 * Somebody came with a cookie that was revoked or signed out, or with a link that was used, withdrawn or has expired: that goes into the
 * audit of its tenant, once for each token, so that it cannot be used to fill the audit. False for a token that was never one, or is told of already.
 */
export async function reportSpentToken(store: Store, refused: RefusedToken): Promise<boolean> {
  const { kind, client, correlationId } = refused
  const tokenHash = sha256(refused.token)
  const tenantId = (await tenantOfSpent(store, tokenHash, kind)) ?? (await tenantOfExpiredLink(store, tokenHash, kind))
  if (tenantId === undefined) return false
  const actor = systemActor('sign-in', tenantId, correlationId)
  const { value } = await change(store, actor, { permission: null, action: `${kind}.refuse` }, async (tx) => {
    // A link that has expired and is still there becomes a spent one now.
    if (kind === 'link') {
      await tx.db
        .deleteFrom('one_time_links')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '<=', tx.at)
        .execute()
    }
    const spent = await tx.db
      .updateTable('spent_tokens')
      .set({ reported: 1 })
      .where('token_hash', '=', tokenHash)
      .where('reported', '=', 0)
      .returning(['subject_type', 'subject_id'])
      .executeTakeFirst()
    if (spent === undefined) return unchanged(false)
    await tx.record({ subject: { type: spent.subject_type, id: spent.subject_id }, after: { ...client } })
    return true
  })
  return value
}

/** For the guard: a report that fails is logged, and the request is refused as it would have been. */
export async function reportRefusedCookie(store: Store, token: string, request: FastifyRequest): Promise<void> {
  try {
    await reportSpentToken(store, { kind: 'session', token, client: clientOf(request), correlationId: request.id })
  } catch (error) {
    request.log.error({ err: error }, 'the use of an ended session could not be written down')
  }
}

async function tenantOfSpent(store: Store, tokenHash: string, kind: string): Promise<string | undefined> {
  const row = await store.reader
    .selectFrom('spent_tokens')
    .select(['tenant_id', 'kind', 'reported'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.kind === kind && row.reported === 0 ? row.tenant_id : undefined
}

async function tenantOfExpiredLink(store: Store, tokenHash: string, kind: string): Promise<string | undefined> {
  if (kind !== 'link') return undefined
  const row = await store.reader
    .selectFrom('one_time_links')
    .select('tenant_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.tenant_id
}

export async function pruneSpentTokens(tx: Tx): Promise<void> {
  const old = tx.db.selectFrom('spent_tokens').select('token_hash').where('kept_until', '<=', tx.at).limit(MAX_PRUNED)
  await tx.db.deleteFrom('spent_tokens').where('token_hash', 'in', old).execute()
}
