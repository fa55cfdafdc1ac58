import type { Hold } from '../../../http/session-guard.ts'
import { CLOCKS_DIFFER_MS } from '../../../lib/clock.ts'
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
}

export type SecondFactorPolicy = { environment: 'local' | 'production' }

/** True if the role needs a second factor. Administrators do in production (Authentication 3); elsewhere it is optional. */
export function isSecondFactorRequired(role: Role, { environment }: SecondFactorPolicy): boolean {
  return environment === 'production' && role === 'administrator'
}

/**
 * Returns the step that the person must complete before the session can be used, or null. The second factor comes first, because otherwise a person
 * with a stolen password could set another password or enrol their own factor.
 */
export function holdOf(session: SessionState, policy: SecondFactorPolicy): Hold | null {
  const { hasSecondFactor, secondFactorAt, mustChangePassword, role } = session
  if (hasSecondFactor && secondFactorAt === null) return 'second_factor'
  if (mustChangePassword) return 'password_change'
  if (!hasSecondFactor && isSecondFactorRequired(role, policy)) return 'enrolment'
  return null
}

/** Returns the strongest kind of proof that the person can give. Dangerous actions require it. */
export function stepUpMethod({ hasSecondFactor }: Pick<SessionState, 'hasSecondFactor'>): 'second_factor' | 'password' {
  return hasSecondFactor ? 'second_factor' : 'password'
}

/** Returns the time until which the last proof of that kind is fresh; null if there is none or it is too old. */
export function freshUntil(session: SessionState, nowMs: number): string | null {
  return isFresh(session, nowMs) ? new Date(freshUntilMs(session)).toISOString() : null
}

/**
 * True if the last proof is fresh. A proof further in the future than clocks can differ was given before the clock was set back, so its age is
 * unknown and it is not fresh.
 */
export function isFresh(session: SessionState, nowMs: number): boolean {
  const untilMs = freshUntilMs(session)
  return untilMs > nowMs && untilMs <= nowMs + FRESH_MS + CLOCKS_DIFFER_MS
}

function freshUntilMs({ hasSecondFactor, secondFactorAt, passwordAt }: SessionState): number {
  const shownAt = hasSecondFactor ? secondFactorAt : passwordAt
  return shownAt === null ? 0 : Date.parse(shownAt) + FRESH_MS
}
