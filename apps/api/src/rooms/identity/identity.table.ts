// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated } from 'kysely'
import type { Locale } from './identity.schema.ts'

declare module '../../store/database.ts' {
  interface Database {
    tenants: TenantTable
    users: UserTable
    memberships: MembershipTable
    sessions: SessionTable
    totp_factors: TotpFactorTable
    totp_enrolments: TotpEnrolmentTable
    recovery_codes: RecoveryCodeTable
    passkeys: PasskeyTable
    company_identities: CompanyIdentityTable
    one_time_links: OneTimeLinkTable
    unknown_attempts: UnknownAttemptTable
    spent_tokens: SpentTokenTable
  }
}

type Flag = 0 | 1

export type TenantTable = {
  id: string
  number: number
  name: string
  time_zone: string
  /** ISO 3166 alpha-2; forms preset it for local phone numbers, and no rule of the API reads it */
  country: Generated<string>
  suppression_review_months: number | null
  version: Generated<number>
  created_at: string
  updated_at: string | null
  locale: Generated<Locale>
  tokens_allowed: Generated<0 | 1>
}

export type UserTable = {
  id: string
  /** normalized by `canonicalEmail` */
  email: string
  name: string
  /** empty after a reset or after the account was deleted; no password matches an empty hash */
  password_hash: string
  must_change_password: Generated<Flag>
  has_second_factor: Generated<Flag>
  status: 'active' | 'disabled'
  created_at: string
}

export type MembershipTable = {
  tenant_id: string
  user_id: string
  role: 'administrator' | 'manager' | 'operator' | 'viewer'
  status: Generated<'active' | 'disabled' | 'removed'>
  version: Generated<number>
  /** sessions with a smaller id can no longer enter the tenant or act in it; null until the tenant first ends the member's sessions */
  sessions_valid_from: string | null
  last_sign_in_at: string | null
  created_at: string
  updated_at: string | null
  tokens_valid_from: string | null
}

export type SessionTable = {
  /** SHA-256 of the cookie; the cookie itself is not stored */
  token_hash: string
  id: string
  user_id: string
  tenant_id: string
  password_at: string | null
  second_factor_at: string | null
  company_at: string | null
  company_factor_at: string | null
  address: string | null
  agent: string | null
  created_at: string
  seen_at: string
  idle_expires_at: string
  expires_at: string
}

type TotpFactorTable = { user_id: string; secret: string; last_step: number; enrolled_at: string }
type TotpEnrolmentTable = { session_id: string; secret: string; expires_at: string }
type RecoveryCodeTable = { user_id: string; code_hash: string }

export type PasskeyTable = {
  id: string
  user_id: string
  credential_id: string
  /** COSE key in base64url */
  public_key: string
  counter: number
  /** JSON: list of texts */
  transports: string
  name: string
  created_at: string
  last_used_at: string | null
}

type CompanyIdentityTable = {
  id: string
  user_id: string
  issuer: string
  subject: string
  linked_at: string
  last_used_at: string | null
}

export type OneTimeLinkTable = {
  tenant_id: string
  id: string
  token_hash: string
  purpose: 'invitation' | 'password_reset'
  user_id: string | null
  email: string | null
  name: string | null
  role: 'administrator' | 'manager' | 'operator' | 'viewer' | null
  created_by: string
  created_at: string
  expires_at: string
}

type UnknownAttemptTable = {
  id: Generated<number>
  at: string
  tried: string
  address: string | null
  agent: string | null
}

/** Tokens of ended sessions and used links, inserted by triggers; see `identity.migrations.ts`. */
type SpentTokenTable = {
  token_hash: string
  kind: 'session' | 'link'
  tenant_id: string
  subject_type: 'session' | 'user' | 'invitation'
  subject_id: string
  session_id: string | null
  reported: Generated<0 | 1>
  kept_until: string
}
