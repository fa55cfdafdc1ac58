import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time for which a long task may block the event loop, because requests wait behind it. */
const MAX_STRETCH_MS = 5

/**
 * Lets a long task yield. Call the returned function between small steps; it waits for the next turn of the event loop when the task has run long
 * enough.
 */
export function createBreather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_STRETCH_MS) return
    await nextTurn()
    since = performance.now()
  }
}
