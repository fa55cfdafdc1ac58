import { AppError } from '../../../lib/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createGrowingDelay, type DelayOptions, type GrowingDelay } from './growing-delay.ts'
import { requireNoWait, sourceOf } from './rate-limited.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const MAX_KEYS = 20_000

/** Limit of one account from one address, or from one known device. */
export const OF_ONE_SOURCE = { free: 5, firstMs: SECOND_MS, maxMs: 15 * 60 * SECOND_MS }
/** Limit of one address with any accounts. Many people can share an address, so the wait stays short. */
export const OF_ADDRESS = { free: 50, firstMs: SECOND_MS, maxMs: 60 * SECOND_MS }
/** Limit of one account from any address. */
export const OF_ACCOUNT = { free: 100, firstMs: SECOND_MS, maxMs: 60 * SECOND_MS }

/** The account of an attempt, its address, and the known device, if its cookie is valid. */
export type Attempt = { account: string; address: string; device?: string | undefined }

export type SignInLimits = {
  /** counts the attempt, or throws `rate_limited` with the time to wait; unknown accounts are counted like known ones */
  take(attempt: Attempt): void
  /** removes a successful attempt from the count */
  giveBack(attempt: Attempt): void
  /** runs the work after a correct attempt; if the store rejects it, the attempt is not counted, because the person did not fail */
  whileAvailable<T>(attempt: Attempt, work: () => Promise<T>): Promise<T>
}

/**
 * Creates the limits of sign-in. The wait grows per account and address, so attackers slow down only themselves. Two looser limits, per address and
 * per account, stop one host that tries many accounts and many hosts that try one account. A device on which the owner has signed in before is
 * counted separately: attempts from elsewhere never delay it, so nobody can be locked out (OWASP, "device cookies").
 */
export function createSignInLimits(clock: Clock): SignInLimits {
  const delay = (options: Omit<DelayOptions, 'forgetAfterMs' | 'maxKeys'>) =>
    createGrowingDelay(clock, { ...options, forgetAfterMs: HOUR_MS, maxKeys: MAX_KEYS })
  const ofSource = delay(OF_ONE_SOURCE)
  const ofAddress = delay(OF_ADDRESS)
  const ofAccount = delay(OF_ACCOUNT)

  /** Returns the counters from the narrowest limit, which an attacker reaches alone, to the one that affects others. */
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
      // Check all limits before one counts, because an attempt that any of them refuses is not made and must delay nobody.
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
