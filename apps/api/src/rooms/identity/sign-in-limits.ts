import { normalizeIP } from '@fastify/rate-limit'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type AttemptLimit, createAttemptLimit } from './attempt-limit.ts'

/** Failures that are let through in each window of time. */
export const FAILURES_PER_ACCOUNT_AND_ADDRESS = 10
export const FAILURES_PER_ADDRESS = 100
export const FAILURES_PER_ACCOUNT = 200
export const WINDOW_MS = 15 * 60_000

const MAX_KEYS = 20_000
/** What one customer of an IPv6 provider is given: whoever has it has all its addresses. */
const IPV6_SUBNET = 64

/** Who tries to sign in, and from where. */
export type Attempt = { account: string; address: string }

export type SignInLimits = {
  /** Counts the attempt, or throws `rate_limited` with the time to wait. Unknown accounts are counted like known ones. */
  take(attempt: Attempt): void
  /** The attempt succeeded and counts for nothing. */
  giveBack(attempt: Attempt): void
}

/**
 * Failures are limited for an account from one address: whoever guesses locks out only themselves, and the account's owner
 * signs in from elsewhere. A limit for the address stops one host that tries many accounts. A third, loose one for the account
 * stops many hosts that try one: to hold an owner out with it takes twenty addresses that go on failing.
 */
export function createSignInLimits(clock: Clock): SignInLimits {
  const limit = (max: number) => createAttemptLimit(clock, { max, windowMs: WINDOW_MS, maxKeys: MAX_KEYS })
  const ofAddress = limit(FAILURES_PER_ADDRESS)
  const ofBoth = limit(FAILURES_PER_ACCOUNT_AND_ADDRESS)
  const ofAccount = limit(FAILURES_PER_ACCOUNT)

  /** From the narrowest that an attacker fills alone to the one that others feel: what the first refuses, the next never sees. */
  function counters({ account, address }: Attempt): [AttemptLimit, key: string][] {
    const from = normalizeIP(address, IPV6_SUBNET)
    return [
      [ofBoth, `${from} ${account}`],
      [ofAddress, from],
      [ofAccount, account],
    ]
  }

  return {
    take(attempt) {
      for (const [counter, key] of counters(attempt)) {
        const waitMs = counter.take(key)
        if (waitMs === 0) continue
        throw new AppError('rate_limited', 'Too many attempts to sign in. Wait a while, then try again.', {
          retryAfterSeconds: Math.ceil(waitMs / 1_000),
        })
      }
    },
    giveBack(attempt) {
      for (const [counter, key] of counters(attempt)) counter.giveBack(key)
    },
  }
}
