import type { Hold } from '../../../http/session-guard.ts'
import { CLOCKS_DIFFER_MS } from '../../../lib/clock.ts'
import type { Role } from '../permissions.ts'

/** A proof counts as fresh for so long after it was shown. */
const FRESH_MS = 15 * 60_000

/** When a session began, and when it ends by itself: unless it is used before, and at the latest. */
export type Lifespan = { createdAt: string; idleExpiresAt: string; expiresAt: string }

/** One that began further ahead than clocks differ is over too: the clock was set back since, and it would live longer by as much. */
export function hasExpired({ createdAt, idleExpiresAt, expiresAt }: Lifespan, nowMs: number): boolean {
  return (
    Date.parse(idleExpiresAt) <= nowMs ||
    Date.parse(expiresAt) <= nowMs ||
    Date.parse(createdAt) > nowMs + CLOCKS_DIFFER_MS
  )
}

/** What a session has shown, and what its person has and owes. */
export type Standing = {
  role: Role
  hasSecondFactor: boolean
  mustChangePassword: boolean
  passwordAt: string | null
  secondFactorAt: string | null
}

export type SecondFactorPolicy = { environment: 'local' | 'production' }

/** Administrators need a second factor in production (Authentication 3); locally it is offered. */
export function isSecondFactorRequired(role: Role, { environment }: SecondFactorPolicy): boolean {
  return environment === 'production' && role === 'administrator'
}

/**
 * What a session owes. The second factor comes first: until it is shown, whoever knows the password could choose another or
 * enrol a factor of their own.
 */
export function holdOf(standing: Standing, policy: SecondFactorPolicy): Hold | null {
  const { hasSecondFactor, secondFactorAt, mustChangePassword, role } = standing
  if (hasSecondFactor && secondFactorAt === null) return 'second_factor'
  if (mustChangePassword) return 'password_change'
  if (!hasSecondFactor && isSecondFactorRequired(role, policy)) return 'enrolment'
  return null
}

/** The strongest proof that the person has is the one that dangerous actions ask for. */
export function stepUpMethod({ hasSecondFactor }: Pick<Standing, 'hasSecondFactor'>): 'second_factor' | 'password' {
  return hasSecondFactor ? 'second_factor' : 'password'
}

/** Until when that proof counts as fresh; null when it was not shown, or too long ago. */
export function freshUntil(standing: Standing, nowMs: number): string | null {
  return isFresh(standing, nowMs) ? new Date(freshUntilMs(standing)).toISOString() : null
}

/** A proof that stands further ahead than clocks differ was shown before the clock was set back: nobody knows how long ago. */
export function isFresh(standing: Standing, nowMs: number): boolean {
  const untilMs = freshUntilMs(standing)
  return untilMs > nowMs && untilMs <= nowMs + FRESH_MS + CLOCKS_DIFFER_MS
}

function freshUntilMs({ hasSecondFactor, secondFactorAt, passwordAt }: Standing): number {
  const shownAt = hasSecondFactor ? secondFactorAt : passwordAt
  return shownAt === null ? 0 : Date.parse(shownAt) + FRESH_MS
}
