import type { Role } from './permissions.ts'

declare module '../../store/database.ts' {
  interface Database {
    tenants: TenantTable
    users: UserTable
    memberships: MembershipTable
    sessions: SessionTable
  }
}

export type TenantTable = { id: string; number: number; name: string; time_zone: string; created_at: string }

export type UserTable = {
  id: string
  /** in the form of `canonicalEmail` */
  email: string
  name: string
  password_hash: string
  status: 'active' | 'disabled'
  created_at: string
}

export type MembershipTable = { tenant_id: string; user_id: string; role: Role; created_at: string }

export type SessionTable = {
  /** SHA-256 of the cookie; the cookie itself is stored nowhere */
  token_hash: string
  id: string
  user_id: string
  tenant_id: string
  assurance: 'password'
  created_at: string
  seen_at: string
  idle_expires_at: string
  expires_at: string
}
