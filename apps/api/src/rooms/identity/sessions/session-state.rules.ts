import type { Hold } from '../../../http/session-guard.ts'
import { CLOCKS_DIFFER_MS } from '../../../lib/clock.ts'
import type { Session } from '../identity.schema.ts'
import type { Role } from '../permissions.ts'

/** Time after which a proof of identity is no longer fresh. */
const FRESH_MS = 15 * 60_000

/** Start of a session, its end if it stays idle, and its latest possible end. */
export type Lifespan = { createdAt: string; idleExpiresAt: string; expiresAt: string }

/**
 * True if a session has ended. A start further in the future than clocks can differ also counts as ended: the clock was later set back, which would
 * extend the session.
 */
export function hasExpired({ createdAt, idleExpiresAt, expiresAt }: Lifespan, nowMs: number): boolean {
  return (
    Date.parse(idleExpiresAt) <= nowMs ||
    Date.parse(expiresAt) <= nowMs ||
    Date.parse(createdAt) > nowMs + CLOCKS_DIFFER_MS
  )
}

/** Proofs that were given in a session, and the factors and obligations of its person. */
export type SessionState = {
  role: Role
  hasSecondFactor: boolean
  mustChangePassword: boolean
  passwordAt: string | null
  secondFactorAt: string | null
  /** when the provider of a company sign-in checked a second factor, as far as the operator trusts it */
  companyFactorAt: string | null
}

export type SecondFactorPolicy = { environment: 'local' | 'production' }

/** True if the role needs a second factor. Administrators do in production (Authentication 3); elsewhere it is optional. */
export function isSecondFactorRequired(role: Role, { environment }: SecondFactorPolicy): boolean {
  return environment === 'production' && role === 'administrator'
}

/**
 * Returns when the person last proved a second factor. That of a provider does not count for administrators in production, who need one that this
 * server verifies. The role decides here and not at sign-in, because a session can switch to a tenant with another role.
 */
function factorAt({ role, secondFactorAt, companyFactorAt }: SessionState, policy: SecondFactorPolicy): string | null {
  if (companyFactorAt === null || isSecondFactorRequired(role, policy)) return secondFactorAt
  return secondFactorAt === null || secondFactorAt < companyFactorAt ? companyFactorAt : secondFactorAt
}

/**
 * Returns the step that the person must complete before the session can be used, or null. The second factor comes first, because otherwise a person
 * with a stolen password could set another password or enrol their own factor.
 */
export function holdOf(session: SessionState, policy: SecondFactorPolicy): Hold | null {
  const { hasSecondFactor, mustChangePassword, role } = session
  if (hasSecondFactor && factorAt(session, policy) === null) return 'second_factor'
  if (mustChangePassword) return 'password_change'
  if (!hasSecondFactor && isSecondFactorRequired(role, policy)) return 'enrolment'
  return null
}

/** Returns the strongest kind of proof that was given to this server in a session. */
export function assuranceOf({
  companyAt,
  secondFactorAt,
}: Pick<SessionState, 'secondFactorAt'> & { companyAt: string | null }): Session['assurance'] {
  if (secondFactorAt !== null) return 'mfa'
  return companyAt === null ? 'password' : 'company'
}

/** Returns the strongest kind of proof that the person can give. Dangerous actions require it. */
export function stepUpMethod({ hasSecondFactor }: Pick<SessionState, 'hasSecondFactor'>): 'second_factor' | 'password' {
  return hasSecondFactor ? 'second_factor' : 'password'
}

/** Returns the time until which the last proof of that kind is fresh; null if there is none or it is too old. */
export function freshUntil(session: SessionState, policy: SecondFactorPolicy, nowMs: number): string | null {
  return isFresh(session, policy, nowMs) ? new Date(freshUntilMs(session, policy)).toISOString() : null
}

/**
 * True if the last proof is fresh. A proof further in the future than clocks can differ was given before the clock was set back, so its age is
 * unknown and it is not fresh. A second factor of a trusted provider is a proof also for a person without a second factor here.
 */
export function isFresh(session: SessionState, policy: SecondFactorPolicy, nowMs: number): boolean {
  const untilMs = freshUntilMs(session, policy)
  return untilMs > nowMs && untilMs <= nowMs + FRESH_MS + CLOCKS_DIFFER_MS
}

function freshUntilMs(session: SessionState, policy: SecondFactorPolicy): number {
  const shown = [factorAt(session, policy), session.hasSecondFactor ? null : session.passwordAt]
  return Math.max(...shown.map((at) => (at === null ? 0 : Date.parse(at) + FRESH_MS)))
}
