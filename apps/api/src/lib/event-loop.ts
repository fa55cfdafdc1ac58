import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work may hold the event loop this long at a stretch; requests wait behind it. */
const MAX_STRETCH_MS = 5

/**
 * Lets long work make room: call what this gives between two small steps, and it waits for the next turn of the event
 * loop whenever the stretch has been long enough.
 */
export function createBreather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_STRETCH_MS) return
    await nextTurn()
    since = performance.now()
  }
}
