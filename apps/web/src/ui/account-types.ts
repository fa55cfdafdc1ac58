import type { AuditEvent, Role, Session as SignedIn } from '@prospect/api-client'

export type Hold = 'second_factor' | 'password_change' | 'enrolment'
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery_code'
export type Session = Omit<SignedIn, 'assurance'> & {
  sessionId: string
  assurance: 'password' | 'mfa'
  hold: Hold | null
  secondFactor: { enrolled: boolean; required: boolean; methods: SecondFactorMethod[]; verifiedAt: string | null }
  stepUp: { method: 'second_factor' | 'password'; freshUntil: string | null }
  mustChangePassword: boolean
}
export type OwnSession = {
  id: string
  current: boolean
  tenant: { id: string; name: string }
  address: string | null
  agent: string | null
  assurance: 'password' | 'mfa'
  createdAt: string
  seenAt: string
  expiresAt: string
}
export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null }
export type Factors = {
  required: boolean
  totp: null | { enrolledAt: string }
  passkeys: Passkey[]
  recoveryCodesLeft: number
}
export type TotpEnrolment = { secret: string; otpauthUri: string; expiresAt: string }
export type RecoveryCodes = { recoveryCodes: string[] | null }
export type User = {
  id: string
  version: number
  email: string
  name: string
  role: Role
  status: 'active' | 'disabled'
  secondFactors: { totp: boolean; passkeys: number }
  mustChangePassword: boolean
  isShared: boolean
  lastSeenAt: string | null
  createdAt: string
  updatedAt: string
}
export type Link = { token: string; expiresAt: string }
export type Invitation = {
  id: string
  email: string
  name: string
  role: Role
  createdAt: string
  createdBy: AuditEvent['actor']
  expiresAt: string
}
export type LinkCheck = {
  purpose: 'invitation' | 'password_reset'
  email: string
  name: string
  tenantName: string
  needs: 'new_password' | 'own_password'
  expiresAt: string
}
export type Tenant = {
  id: string
  version: number
  name: string
  timeZone: string
  createdAt: string
  updatedAt: string
}
