// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    access_tokens: AccessTokenTable
  }
}

export const refusalReasons = ['revoked', 'ended', 'expired', 'address'] as const
/** Why a token is refused. The order is the one in which a request is checked. */
export type RefusalReason = (typeof refusalReasons)[number]

export type AccessTokenTable = {
  tenant_id: string
  id: string
  user_id: string
  name: string
  /** SHA-256 of the secret; the secret itself is not stored */
  secret_hash: string
  /** JSON: list of permissions */
  permissions: string
  /** JSON: list of addresses and ranges from which the token is accepted; empty: from everywhere */
  addresses: string
  created_at: string
  ends_at: string
  last_used_at: string | null
  revoked_at: string | null
  revoked_by: string | null
  /** the reason of the last refusal that was recorded in the audit */
  refused_for: RefusalReason | null
}
