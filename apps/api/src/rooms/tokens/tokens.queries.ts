import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/engine/prepared.ts'
import { readTexts } from '../../store/json-column.ts'
import type { Role } from '../identity/identity.ts'
import { statusOf, type TokenState } from './token-state.rules.ts'
import type { AccessToken } from './tokens.schema.ts'
import type { RefusalReason } from './tokens.table.ts'

/** The query that a request with a token runs. It reads four rows by primary key, and its text is built once. */
const selectToken = prepared<{ id: string }>()((db, param) =>
  db
    .selectFrom('access_tokens as a')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 'a.tenant_id').onRef('m.user_id', '=', 'a.user_id'),
    )
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .innerJoin('tenants as t', 't.id', 'a.tenant_id')
    .select(['a.tenant_id as tenantId', 'a.id', 'a.user_id as userId', 'a.secret_hash as secretHash'])
    .select(['a.permissions', 'a.addresses', 'a.ends_at as endsAt', 'a.last_used_at as lastUsedAt'])
    .select(['a.revoked_at as revokedAt', 'a.refused_for as refusedFor'])
    .select(['m.role', 'm.status as memberStatus', 'm.tokens_valid_from as validFrom'])
    .select(['u.status as userStatus', 'u.must_change_password as mustChange', 'u.has_second_factor as hasFactor'])
    .select('t.tokens_allowed as tokensAllowed')
    .where('a.id', '=', param('id')),
)

export type StoredToken = TokenState & {
  tenantId: string
  userId: string
  secretHash: string
  permissions: readonly string[]
  addresses: readonly string[]
  lastUsedAt: string | null
  refusedFor: RefusalReason | null
  role: Role
  mustChangePassword: boolean
  hasSecondFactor: boolean
  isAllowedInTenant: boolean
}

/** Returns a token with what decides about its use, in any tenant; undefined if there is none with this id. */
export async function findToken(db: Db, id: string): Promise<StoredToken | undefined> {
  const [row] = await selectToken(db, { id })
  if (row === undefined) return undefined
  const { memberStatus, userStatus, mustChange, hasFactor, tokensAllowed, ...rest } = row
  return {
    ...rest,
    permissions: readTexts(row.permissions),
    addresses: readTexts(row.addresses),
    isMember: memberStatus === 'active' && userStatus === 'active',
    mustChangePassword: mustChange === 1,
    hasSecondFactor: hasFactor === 1,
    isAllowedInTenant: tokensAllowed === 1,
  }
}

export type TokenFilter = { tenantId: string; userId?: string; id?: string }

/** Returns the rows of a list of tokens: those of a person, or of the whole tenant. */
function tokensOf(db: Db, { tenantId, userId, id }: TokenFilter) {
  return db
    .selectFrom('access_tokens as a')
    .innerJoin('memberships as m', (join) =>
      join.onRef('m.tenant_id', '=', 'a.tenant_id').onRef('m.user_id', '=', 'a.user_id'),
    )
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .leftJoin('users as r', 'r.id', 'a.revoked_by')
    .where('a.tenant_id', '=', tenantId)
    .$if(userId !== undefined, (query) => query.where('a.user_id', '=', userId ?? ''))
    .$if(id !== undefined, (query) => query.where('a.id', '=', id ?? ''))
}

const shownColumns = [
  'a.id',
  'a.name',
  'a.permissions',
  'a.addresses',
  'a.created_at as createdAt',
  'a.ends_at as endsAt',
  'a.last_used_at as lastUsedAt',
  'a.revoked_at as revokedAt',
  'a.revoked_by as revokedBy',
  'r.name as revokedByName',
  'u.id as userId',
  'u.name as userName',
  'u.status as userStatus',
  'm.status as memberStatus',
  'm.tokens_valid_from as validFrom',
] as const

/** Returns rows of a list of tokens, newest first, that come after the token `before`. */
export function selectTokens(
  db: Db,
  filter: TokenFilter,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<TokenRow[]> {
  return tokensOf(db, filter)
    .select(shownColumns)
    .$if(before !== undefined, (query) => query.where('a.id', '<', before ?? ''))
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the query of all tokens of a list, for its total. */
export function allTokens(db: Db, filter: TokenFilter) {
  return tokensOf(db, filter).select('a.id')
}

/** Returns one token; undefined if the tenant, or the person, has none with this id. */
export async function findShownToken(db: Db, filter: TokenFilter, nowMs: number): Promise<AccessToken | undefined> {
  const row = await tokensOf(db, filter).select(shownColumns).executeTakeFirst()
  return row === undefined ? undefined : toToken(row, nowMs)
}

type TokenRow = {
  id: string
  name: string
  permissions: string
  addresses: string
  createdAt: string
  endsAt: string
  lastUsedAt: string | null
  revokedAt: string | null
  revokedBy: string | null
  revokedByName: string | null
  userId: string
  userName: string
  userStatus: string
  memberStatus: string
  validFrom: string | null
}

export function toToken(row: TokenRow, nowMs: number): AccessToken {
  const { id, name, createdAt, endsAt, lastUsedAt, revokedAt, revokedBy, revokedByName, validFrom } = row
  const isMember = row.memberStatus === 'active' && row.userStatus === 'active'
  return {
    id,
    name,
    person: { id: row.userId, name: row.userName },
    status: statusOf({ id, endsAt, revokedAt, isMember, validFrom }, nowMs),
    permissions: readTexts(row.permissions),
    addresses: readTexts(row.addresses),
    createdAt,
    endsAt,
    lastUsedAt,
    revokedAt,
    revokedBy: revokedBy === null ? null : { id: revokedBy, name: revokedByName ?? revokedBy },
  }
}
