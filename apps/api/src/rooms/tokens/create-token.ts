import { randomBytes } from 'node:crypto'
import { invalidField } from '../../lib/app-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { Permission } from '../../lib/declared.ts'
import { sha256 } from '../../lib/hashing.ts'
import { newId } from '../../lib/ids.ts'
import type { Tx } from '../../store/change/change.ts'
import { requireRoom } from '../../store/change/quota.ts'
import { getTenant } from '../identity/identity.ts'
import { tokensOff } from './admit-token.ts'
import { secretOf } from './secret.rules.ts'
import { grantablePermissions } from './token-permissions.ts'
import { dailyTokenQuota, tokenQuota } from './tokens.quota.ts'
import { type CreateToken, TOKEN_MAX_DAYS } from './tokens.schema.ts'

const RANDOM_BYTES = 32

/** Origin of a request, for the audit. */
export type Origin = { address: string | null; agent: string | null }

/**
 * Creates a token of the person who makes this change, and returns its id and its secret. Only the hash of the secret is stored, and neither is in the
 * audit. Errors: `invalid_request` (a permission that the person does not have or that no token can have; an end that is past or too far away),
 * `tokens_off`, `limit_reached`, `rate_limited`.
 */
export async function createToken(
  tx: Tx,
  userId: string,
  { name, permissions, endsAt, addresses, origin }: CreateToken & { origin: Origin },
): Promise<{ id: string; secret: string }> {
  const { tenantId } = tx.actor
  if (!(await getTenant(tx.db, tenantId)).tokensAllowed) throw tokensOff()
  for (const [at, permission] of permissions.entries()) requireGrantable(tx, permission, `permissions.${at}`)
  requireEnd(tx.at, endsAt)
  await requireRoom(tx, tokenQuota)
  await requireRoom(tx, dailyTokenQuota)
  const id = newId()
  const secret = secretOf(id, randomBytes(RANDOM_BYTES))
  await tx.db
    .insertInto('access_tokens')
    .values({
      tenant_id: tenantId,
      id,
      user_id: userId,
      name,
      secret_hash: sha256(secret),
      permissions: JSON.stringify(permissions),
      addresses: JSON.stringify(addresses),
      created_at: tx.at,
      ends_at: endsAt,
      last_used_at: null,
      revoked_at: null,
      revoked_by: null,
      refused_for: null,
    })
    .execute()
  await tx.record({ subject: { type: 'token', id }, after: { ...origin, name, permissions, endsAt, addresses } })
  return { id, secret }
}

function requireGrantable({ actor }: Tx, permission: Permission, path: string): void {
  if (!grantablePermissions.has(permission))
    throw invalidField(path, 'not_grantable', `No access token can have the permission ${permission}.`)
  if (!actor.permissions.has(permission))
    throw invalidField(path, 'not_held', `Your role does not include ${permission}, so your tokens cannot have it.`)
}

function requireEnd(at: string, endsAt: string): void {
  const days = (Date.parse(endsAt) - Date.parse(at)) / DAY_MS
  if (days <= 0) throw invalidField('endsAt', 'past', 'Choose an end in the future.')
  if (days > TOKEN_MAX_DAYS)
    throw invalidField('endsAt', 'too_late', `Choose an end within ${TOKEN_MAX_DAYS} days from now.`)
}
