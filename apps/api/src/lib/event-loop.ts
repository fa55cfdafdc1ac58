import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time for which a long task may block the event loop, because requests wait meanwhile. */
const MAX_STRETCH_MS = 5

/**
 * Returns a function that lets a long task yield. Call it between small steps. If the task has run for long enough, the function waits for the next
 * turn of the event loop.
 */
export function createBreather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_STRETCH_MS) return
    await nextTurn()
    since = performance.now()
  }
}
