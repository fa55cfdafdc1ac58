import type { Clock } from '../../../lib/clock.ts'

/** Delays attempts per key after failures. The first few failures cause no delay; each further one doubles the wait before the next attempt. */
export type GrowingDelay = {
  /** returns the milliseconds until the next attempt is permitted; 0 if it is permitted now */
  waitOf(key: string): number
  /**
   * Counts one attempt. Returns 0 if it is permitted, otherwise the milliseconds until the next attempt may be permitted. A refused attempt is not
   * counted.
   */
  take(key: string): number
  /** removes one attempt that succeeded from the count */
  giveBack(key: string): void
  /** deletes every failure of the key */
  forget(key: string): void
}

/**
 * `free`: number of failures without delay. Each further failure doubles the delay, from `firstMs` to `maxMs`. The count is reset after
 * `forgetAfterMs` without a failure.
 */
export type DelayOptions = { free: number; firstMs: number; maxMs: number; forgetAfterMs: number; maxKeys: number }

type Failures = { count: number; lastAt: number }

/**
 * Creates a delay with bounded memory: beyond `maxKeys` the key with the oldest attempt is dropped. An attempt is counted before it is verified, and
 * removed from the count if it succeeds. If only failures were counted, a thousand concurrent attempts would all pass.
 */
export function createGrowingDelay(clock: Clock, options: DelayOptions): GrowingDelay {
  const { free, firstMs, maxMs, forgetAfterMs, maxKeys } = options
  /** counts by key, in the order of their last attempt */
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

  /** Returns the count of a key; 0 if its last attempt is older than `forgetAfterMs`. */
  function currentOf(key: string, now: number): Failures {
    const known = failures.get(key)
    // A last attempt in the future means that the clock was set back. Without this correction the key would wait until the clock reaches that time
    // again.
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
