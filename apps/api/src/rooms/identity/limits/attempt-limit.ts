import type { Clock } from '../../../lib/clock.ts'

/** Limits attempts per key within a window of time. The window begins with the first attempt. */
export type AttemptLimit = {
  /** Counts one attempt. Returns 0 if it is permitted, otherwise the milliseconds until the next attempt may be permitted. */
  take(key: string): number
  /** Counts one attempt as `take` does, and also returns the attempts of the window and the milliseconds until the window ends. */
  count(key: string): { waitMs: number; used: number; resetMs: number }
}

/** Creates a limit with bounded memory: beyond `maxKeys` the oldest window is dropped. Limiters from npm store every key, or read their own clock. */
export function createAttemptLimit(
  clock: Clock,
  { max, windowMs, maxKeys }: { max: number; windowMs: number; maxKeys: number },
): AttemptLimit {
  /** windows in the order of their start, which is also the order of their end */
  const windows = new Map<string, { count: number; endsAt: number }>()

  function dropEnded(now: number): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxKeys) return
      windows.delete(key)
    }
  }

  function count(key: string): ReturnType<AttemptLimit['count']> {
    const now = clock().getTime()
    const open = windows.get(key)
    // Limits the end of a window, because after the clock was set back the window would last longer than `windowMs`.
    if (open !== undefined) open.endsAt = Math.min(open.endsAt, now + windowMs)
    if (open !== undefined && open.endsAt > now) {
      const resetMs = open.endsAt - now
      if (open.count >= max) return { waitMs: resetMs, used: max, resetMs }
      open.count += 1
      return { waitMs: 0, used: open.count, resetMs }
    }
    windows.delete(key)
    dropEnded(now)
    windows.set(key, { count: 1, endsAt: now + windowMs })
    return { waitMs: 0, used: 1, resetMs: windowMs }
  }

  return { count, take: (key) => count(key).waitMs }
}
