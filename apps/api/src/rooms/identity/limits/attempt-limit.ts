import type { Clock } from '../../../lib/clock.ts'

/** Counts attempts by key within a window that begins with the first. */
export type AttemptLimit = {
  /** Counts one attempt. Answers 0 when it may go ahead, else the milliseconds until the next may. */
  take(key: string): number
}

/** Bounded: past `maxKeys` the oldest window is forgotten; the limiters that npm offers keep every key or read a clock of their own. */
export function createAttemptLimit(
  clock: Clock,
  { max, windowMs, maxKeys }: { max: number; windowMs: number; maxKeys: number },
): AttemptLimit {
  /** In the order of their beginning, which is that of their end. */
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
      // A clock that was set back would stretch it: no window is longer than a window.
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
