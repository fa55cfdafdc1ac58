import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest time for which a long task may block the event loop; requests wait behind it. */
const MAX_STRETCH_MS = 5

/**
 * Lets long work yield: call the returned function between small steps. It waits for the next turn of the event loop whenever the work has
 * run long enough.
 */
export function createBreather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_STRETCH_MS) return
    await nextTurn()
    since = performance.now()
  }
}
