import type { Clock } from '../../../lib/clock.ts'

/** Counts failures by key. The first few are free; each further one doubles the wait before the next attempt. */
export type GrowingDelay = {
  /** returns the milliseconds until the next attempt is permitted; 0 if it is permitted now */
  waitOf(key: string): number
  /** counts one attempt; returns 0 if it is permitted, otherwise the milliseconds until the next one may be; a refused attempt does not count */
  take(key: string): number
  /** removes a successful attempt from the count */
  giveBack(key: string): void
  /** deletes every failure of the key */
  forget(key: string): void
}

/** The delay doubles at each failure beyond the free ones, up to `maxMs`, and is reset after `forgetAfterMs` without a failure. */
export type DelayOptions = { free: number; firstMs: number; maxMs: number; forgetAfterMs: number; maxKeys: number }

type Failures = { count: number; lastAt: number }

/**
 * Creates a bounded delay: beyond `maxKeys` the key with the oldest attempt is dropped. Attempts are counted before they are verified and removed
 * after a success, because a thousand concurrent attempts would all pass a count of failures.
 */
export function createGrowingDelay(clock: Clock, options: DelayOptions): GrowingDelay {
  const { free, firstMs, maxMs, forgetAfterMs, maxKeys } = options
  /** ordered by their last attempt */
  const failures = new Map<string, Failures>()

  function delayAfter({ count }: Failures): number {
    return count < free ? 0 : Math.min(firstMs * 2 ** (count - free), maxMs)
  }

  function dropQuiet(now: number): void {
    for (const [key, { lastAt }] of failures) {
      if (lastAt + forgetAfterMs > now && failures.size < maxKeys) return
      failures.delete(key)
    }
  }

  /** Returns the failures of a key that count at this time. */
  function currentOf(key: string, now: number): Failures {
    const known = failures.get(key)
    // The clock was set back after the last failure, so do not wait until that time is reached again.
    if (known !== undefined && known.lastAt > now) known.lastAt = now
    return known !== undefined && known.lastAt + forgetAfterMs > now ? known : { count: 0, lastAt: now }
  }

  function waitAfter(current: Failures, now: number): number {
    return current.count === 0 ? 0 : Math.max(0, current.lastAt + delayAfter(current) - now)
  }

  return {
    waitOf(key) {
      const now = clock().getTime()
      return waitAfter(currentOf(key, now), now)
    },
    take(key) {
      const now = clock().getTime()
      const current = currentOf(key, now)
      const waitMs = waitAfter(current, now)
      if (waitMs > 0) return waitMs
      failures.delete(key)
      dropQuiet(now)
      failures.set(key, { count: current.count + 1, lastAt: now })
      return 0
    },
    giveBack(key) {
      const known = failures.get(key)
      if (known !== undefined && known.count > 0) known.count -= 1
    },
    forget(key) {
      failures.delete(key)
    },
  }
}
