import type { Clock } from '../../../lib/clock.ts'

/** Counts attempts by key within a window that begins with the first attempt. */
export type AttemptLimit = {
  /** counts one attempt; returns 0 if it is permitted, otherwise the milliseconds until the next one may be */
  take(key: string): number
}

/** Creates a bounded limit: beyond `maxKeys` the oldest window is dropped. The limiters on npm store every key, or read their own clock. */
export function createAttemptLimit(
  clock: Clock,
  { max, windowMs, maxKeys }: { max: number; windowMs: number; maxKeys: number },
): AttemptLimit {
  /** ordered by their beginning, and so by their end */
  const windows = new Map<string, { count: number; endsAt: number }>()

  function dropEnded(now: number): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxKeys) return
      windows.delete(key)
    }
  }

  return {
    take(key) {
      const now = clock().getTime()
      const open = windows.get(key)
      // Shortens a window that a clock set back would extend beyond its length.
      if (open !== undefined) open.endsAt = Math.min(open.endsAt, now + windowMs)
      if (open !== undefined && open.endsAt > now) {
        if (open.count >= max) return open.endsAt - now
        open.count += 1
        return 0
      }
      windows.delete(key)
      dropEnded(now)
      windows.set(key, { count: 1, endsAt: now + windowMs })
      return 0
    },
  }
}
