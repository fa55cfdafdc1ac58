import type { Hold } from '../../../http/session-guard.ts'
import { CLOCKS_DIFFER_MS } from '../../../lib/clock.ts'
import type { Role } from '../permissions.ts'

/** Time for which a proof is fresh. */
const FRESH_MS = 15 * 60_000

/** The start of a session, its end when idle, and its latest end. */
export type Lifespan = { createdAt: string; idleExpiresAt: string; expiresAt: string }

/**
 * True if a session has ended. A session that began further in the future than clocks differ counts as ended, because the clock was later set back,
 * which would extend its life.
 */
export function hasExpired({ createdAt, idleExpiresAt, expiresAt }: Lifespan, nowMs: number): boolean {
  return (
    Date.parse(idleExpiresAt) <= nowMs ||
    Date.parse(expiresAt) <= nowMs ||
    Date.parse(createdAt) > nowMs + CLOCKS_DIFFER_MS
  )
}

/** The proofs of a session, and the factors and obligations of its person. */
export type SessionState = {
  role: Role
  hasSecondFactor: boolean
  mustChangePassword: boolean
  passwordAt: string | null
  secondFactorAt: string | null
}

export type SecondFactorPolicy = { environment: 'local' | 'production' }

/** Administrators need a second factor in production (Authentication 3); locally it is optional. */
export function isSecondFactorRequired(role: Role, { environment }: SecondFactorPolicy): boolean {
  return environment === 'production' && role === 'administrator'
}

/**
 * Returns the hold of a session. The second factor comes first, because otherwise a person with a stolen password could set another one or enrol
 * their own factor.
 */
export function holdOf(standing: SessionState, policy: SecondFactorPolicy): Hold | null {
  const { hasSecondFactor, secondFactorAt, mustChangePassword, role } = standing
  if (hasSecondFactor && secondFactorAt === null) return 'second_factor'
  if (mustChangePassword) return 'password_change'
  if (!hasSecondFactor && isSecondFactorRequired(role, policy)) return 'enrolment'
  return null
}

/** Returns the strongest proof that the person has, which dangerous actions require. */
export function stepUpMethod({ hasSecondFactor }: Pick<SessionState, 'hasSecondFactor'>): 'second_factor' | 'password' {
  return hasSecondFactor ? 'second_factor' : 'password'
}

/** Returns until when that proof is fresh; null if it is missing or too old. */
export function freshUntil(standing: SessionState, nowMs: number): string | null {
  return isFresh(standing, nowMs) ? new Date(freshUntilMs(standing)).toISOString() : null
}

/** True for a fresh proof. A proof further in the future than clocks differ was made before the clock was set back, so its age is unknown. */
export function isFresh(standing: SessionState, nowMs: number): boolean {
  const untilMs = freshUntilMs(standing)
  return untilMs > nowMs && untilMs <= nowMs + FRESH_MS + CLOCKS_DIFFER_MS
}

function freshUntilMs({ hasSecondFactor, secondFactorAt, passwordAt }: SessionState): number {
  const shownAt = hasSecondFactor ? secondFactorAt : passwordAt
  return shownAt === null ? 0 : Date.parse(shownAt) + FRESH_MS
}
