import { AppError } from '../../../lib/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createGrowingDelay, type DelayOptions, type GrowingDelay } from './growing-delay.ts'
import { requireNoWait, sourceOf } from './rate-limited.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const MAX_KEYS = 20_000

/** Limit of attempts on one account from one address, or from one known device. */
export const OF_ONE_SOURCE = { free: 5, firstMs: SECOND_MS, maxMs: 15 * 60 * SECOND_MS }
/** Limit of attempts from one address on all accounts. Many people can share an address, so the maximum wait is short. */
export const OF_ADDRESS = { free: 50, firstMs: SECOND_MS, maxMs: 60 * SECOND_MS }
/** Limit of attempts on one account from all addresses. */
export const OF_ACCOUNT = { free: 100, firstMs: SECOND_MS, maxMs: 60 * SECOND_MS }

/** An attempt to sign in: the account, the address, and the id of the known device if the request has a valid device cookie. */
export type Attempt = { account: string; address: string; device?: string | undefined }

export type SignInLimits = {
  /** Counts the attempt, or throws `rate_limited` with the time to wait. Attempts on unknown accounts are counted too. */
  take(attempt: Attempt): void
  /** After a successful attempt: removes it from the counts, and resets the count of its account from this address or device. */
  giveBack(attempt: Attempt): void
  /**
   * Runs `work` after a correct attempt. If the store is unavailable, the attempt is removed from the counts, because the person did nothing wrong.
   */
  whileAvailable<T>(attempt: Attempt, work: () => Promise<T>): Promise<T>
}

/**
 * Creates the limits of sign-in. The wait grows per account and address, so an attacker delays only themselves. Two looser limits, per address and
 * per account, slow down one host that tries many accounts and many hosts that try one account. A device on which the owner has signed in before is
 * counted separately: attempts from elsewhere never delay it, so nobody can lock out the owner (OWASP, "device cookies").
 */
export function createSignInLimits(clock: Clock): SignInLimits {
  const delay = (options: Omit<DelayOptions, 'forgetAfterMs' | 'maxKeys'>) =>
    createGrowingDelay(clock, { ...options, forgetAfterMs: HOUR_MS, maxKeys: MAX_KEYS })
  const ofSource = delay(OF_ONE_SOURCE)
  const ofAddress = delay(OF_ADDRESS)
  const ofAccount = delay(OF_ACCOUNT)

  /** Returns the counters of an attempt, from the narrowest limit, which affects only this source, to the widest, which affects other people too. */
  function counters({ account, address, device }: Attempt): [GrowingDelay, key: string][] {
    if (device !== undefined) return [[ofSource, `device ${device}`]]
    const from = sourceOf(address)
    return [
      [ofSource, `${from} ${account}`],
      [ofAddress, from],
      [ofAccount, account],
    ]
  }

  return {
    take(attempt) {
      // Checks all limits before any of them counts the attempt, because a refused attempt must not delay anybody.
      for (const [counter, key] of counters(attempt)) requireNoWait(counter.waitOf(key))
      for (const [counter, key] of counters(attempt)) counter.take(key)
    },
    giveBack(attempt) {
      for (const [counter, key] of counters(attempt)) {
        if (counter === ofSource) counter.forget(key)
        else counter.giveBack(key)
      }
    },
    async whileAvailable(attempt, work) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof AppError && error.code === 'unavailable')
          for (const [counter, key] of counters(attempt)) counter.giveBack(key)
        throw error
      }
    },
  }
}
