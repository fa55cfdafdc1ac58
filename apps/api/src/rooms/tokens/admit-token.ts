import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TokenAdmission, TokenHolder } from '../../http/session-guard.ts'
import type { UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Permission } from '../../lib/declared.ts'
import { sha256 } from '../../lib/hashing.ts'
import { change, unchanged } from '../../store/change/change.ts'
import { untilWritten } from '../../store/change/until-written.ts'
import type { Store } from '../../store/store.ts'
import { clientOf, createAttemptLimit, holdOf, type SecondFactorPolicy, systemActor } from '../identity/identity.ts'
import { addressCheck } from './addresses.rules.ts'
import { tokenIdIn } from './secret.rules.ts'
import { effectivePermissions, grantablePermissions } from './token-permissions.ts'
import { refusalOf } from './token-state.rules.ts'
import { findToken, type StoredToken } from './tokens.queries.ts'
import type { RefusalReason } from './tokens.table.ts'

/** Requests of one token within a minute, counted in memory by each process. The window begins with the first request. */
export const TOKEN_REQUESTS = { max: 1_200, windowMs: 60_000, maxKeys: 10_000 }
const RATE_POLICY = `"token";q=${TOKEN_REQUESTS.max};w=${TOKEN_REQUESTS.windowMs / 1_000}`
/** Minimum interval between two writes of a token's last use. */
const USED_EVERY_MS = 60_000
/** Maximum number of cached tokens. Any write to the store empties the cache. */
const MAX_AT_HAND = 1_000
/** The id that is looked up for a text which is no secret, so that it is refused in the same time as an unknown token. No token has it. */
const NO_ID = '00000000-0000-0000-0000-000000000000'
const NO_HASH = '0'.repeat(64)

type Known = StoredToken & { effective: ReadonlySet<Permission>; isAddressAllowed: (address: string) => boolean }
type ErrorLog = { error(details: object, message: string): void }

/**
 * Returns how the guard identifies the person of an access token. It runs one prepared query, or none if nothing was written to the store since the
 * last one, so a revoked token, an ended membership and a changed role take effect at once. A use is written at most once a minute, and the request
 * does not wait for that write. Every refused token takes one look-up and one comparison in constant time, whatever is wrong with it.
 */
export function tokenAdmission(store: Store, policy: SecondFactorPolicy, log: ErrorLog): TokenAdmission {
  const find = untilWritten(store, MAX_AT_HAND, (id) => readToken(store, id))
  const requests = createAttemptLimit(store.clock, TOKEN_REQUESTS)
  const writing = new Set<string>()
  /** ids of the tokens of recent secrets by the hash of the secret, because reading an id takes longer than hashing */
  const ids = new Map<string, string>()

  function idOf(secret: string, secretHash: string): string {
    const known = ids.get(secretHash)
    if (known !== undefined) return known
    const id = tokenIdIn(secret) ?? NO_ID
    if (ids.size >= MAX_AT_HAND) ids.clear()
    ids.set(secretHash, id)
    return id
  }

  async function inBackground(key: string, work: () => Promise<unknown>): Promise<void> {
    if (writing.has(key)) return
    writing.add(key)
    try {
      await work()
    } catch (error) {
      log.error({ err: error }, 'the use of an access token could not be written')
    } finally {
      writing.delete(key)
    }
  }

  return {
    grantable: grantablePermissions,
    find: async (secret, request) => {
      const now = store.clock()
      const secretHash = sha256(secret)
      const token = await find(idOf(secret, secretHash))
      const isKnown = areEqual(secretHash, token?.secretHash ?? NO_HASH)
      if (token === undefined || !isKnown) throw refused('This access token is not valid.')
      const reason = refusalOf(token, token.isAddressAllowed(request.ip), now.getTime())
      if (reason !== undefined) {
        if (token.refusedFor !== reason)
          await inBackground(`refused ${token.id}`, () => recordRefused(store, token, reason, request))
        throw refused(sentenceOf(token, reason))
      }
      if (!token.isAllowedInTenant) throw tokensOff()
      const unwrittenMs =
        token.lastUsedAt === null ? USED_EVERY_MS : Math.abs(now.getTime() - Date.parse(token.lastUsedAt))
      if (unwrittenMs >= USED_EVERY_MS)
        void inBackground(`used ${token.id}`, () => markUsed(store, token, now.toISOString()))
      return holderOf(token, request.id, policy)
    },
    count: (actor, reply) => countRequest(requests.count(actor.tokenId ?? ''), reply),
  }
}

/** Compares two hashes of the same length in constant time. */
function areEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

async function readToken(store: Store, id: string): Promise<Known | undefined> {
  const token = await findToken(store.reader, id)
  return (
    token && {
      ...token,
      effective: effectivePermissions(token.permissions, token.role),
      isAddressAllowed: addressCheck(token.addresses),
    }
  )
}

/** Returns the person of a token. A person who must first set a password or enrol a factor cannot act by a token either. */
function holderOf(token: Known, correlationId: string, policy: SecondFactorPolicy): TokenHolder {
  const { id: tokenId, tenantId, userId, effective: permissions, hasSecondFactor, mustChangePassword, role } = token
  const actor: UserActor = { kind: 'user', tenantId, userId, tokenId, correlationId, permissions }
  const proven = { passwordAt: null, secondFactorAt: hasSecondFactor ? token.endsAt : null, companyFactorAt: null }
  return { actor, hold: holdOf({ role, hasSecondFactor, mustChangePassword, ...proven }, policy) }
}

function countRequest(
  { waitMs, used, resetMs }: ReturnType<ReturnType<typeof createAttemptLimit>['count']>,
  reply: FastifyReply,
): void {
  const { max } = TOKEN_REQUESTS
  const seconds = Math.ceil(resetMs / 1_000)
  reply.headers({ 'ratelimit-policy': RATE_POLICY, ratelimit: `"token";r=${max - used};t=${seconds}` })
  if (waitMs === 0) return
  throw new AppError(
    'rate_limited',
    `This access token sent more than ${max} requests within a minute. Wait ${seconds} seconds.`,
    {
      limit: 'token_requests',
      max,
      retryAfterSeconds: seconds,
    },
  )
}

function sentenceOf({ endsAt }: StoredToken, reason: RefusalReason): string {
  switch (reason) {
    case 'revoked':
      return 'This access token was revoked. Create another one.'
    case 'ended':
      return 'This access token ended, because its person left the workspace or the workspace was restored. Create another one.'
    case 'expired':
      return `This access token expired at ${endsAt}. Create another one.`
    case 'address':
      return 'This access token is not valid at the address of this request.'
  }
}

function refused(message: string): AppError {
  return new AppError('token_invalid', message, {
    challenge: `Bearer realm="Prospect Platform", error="invalid_token", error_description="${message}"`,
  })
}

/** Returns the refusal of a workspace that accepts no tokens. */
export function tokensOff(): AppError {
  return new AppError(
    'tokens_off',
    'This workspace accepts no access tokens. An administrator can switch them on in the settings of the workspace.',
  )
}

async function markUsed(store: Store, { tenantId, id }: StoredToken, at: string): Promise<void> {
  await store.write('accounts', async (db) => {
    await db
      .updateTable('access_tokens')
      .set({ last_used_at: at })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    return { keep: true, value: undefined }
  })
}

/** Records in the audit that a token was refused, once for each reason in a row, so that a program that runs on cannot fill the audit. */
async function recordRefused(
  store: Store,
  token: StoredToken,
  reason: RefusalReason,
  request: FastifyRequest,
): Promise<void> {
  const { tenantId, id } = token
  const actor = systemActor('sign-in', tenantId, request.id)
  await change(store, actor, { permission: null, action: 'token.refuse' }, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('access_tokens')
      .set({ refused_for: reason })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where((where) => where.or([where('refused_for', 'is', null), where('refused_for', '<>', reason)]))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return unchanged(undefined)
    await tx.record({ subject: { type: 'token', id }, after: { ...clientOf(request), reason } })
    return undefined
  })
}
