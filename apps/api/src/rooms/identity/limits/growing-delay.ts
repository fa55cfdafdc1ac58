import type { Clock } from '../../../lib/clock.ts'

/** Failures by key: the first few are free, then each doubles the wait for the next attempt. */
export type GrowingDelay = {
  /** The milliseconds until the next attempt may go ahead; 0 when it may now. */
  waitOf(key: string): number
  /** Counts one attempt. Answers 0 when it may go ahead, else the milliseconds until the next may; a refused one counts for nothing. */
  take(key: string): number
  /** Uncounts an attempt that turned out well. */
  giveBack(key: string): void
  /** Forgets every failure of the key. */
  forget(key: string): void
}

/** Twice as long at each failure past the free ones, up to `maxMs`; forgotten when `forgetAfterMs` have passed without one. */
export type DelayOptions = { free: number; firstMs: number; maxMs: number; forgetAfterMs: number; maxKeys: number }

type Failures = { count: number; lastAt: number }

/**
 * Bounded: past `maxKeys` the key that was quiet for longest is forgotten. Attempts are counted before they are tried and given
 * back after they succeeded, because a thousand at once would all pass a count of failures.
 */
export function createGrowingDelay(clock: Clock, options: DelayOptions): GrowingDelay {
  const { free, firstMs, maxMs, forgetAfterMs, maxKeys } = options
  /** In the order of their last attempt. */
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

  /** What counts of a key at this time. */
  function currentOf(key: string, now: number): Failures {
    const known = failures.get(key)
    // A clock that was set back put it ahead: nobody waits for that time to come again.
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
