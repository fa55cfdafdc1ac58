/** Time for which background work may use the event loop before requests are served. */
const STEP_MS = 5
/** Rest after a step while requests come, as a multiple of its duration: background work then gets a quarter of the event loop. */
const REST = 3
/** Time after a request during which more requests are expected. */
const BUSY_MS = 250

/**
 * The share of the event loop that all background work of a process gets together. Background work waits for its turn before each statement and
 * each commit. It uses the event loop for some milliseconds, then requests are served. While requests come, it rests after each step; otherwise it
 * continues at once.
 */
export type LoopBudget = {
  /** Says that a request came. */
  requested(): void
  /** Waits for the turn of background work. Returns undefined if the work may continue in this turn of the event loop. */
  turn(): Promise<void> | undefined
  /** Says that background work begins to use the event loop, if `turn` did not say it in this turn of the event loop. */
  begin(): void
  /** Says that background work has used the event loop until now. */
  mark(): void
  /** number of tasks that wait for their turn */
  waiting(): number
  /** time for which background work has used the event loop, in milliseconds */
  totalMs(): number
  /** duration of the longest step since the last call, in milliseconds */
  takeLongestMs(): number
}

/** Creates the budget of a process. `now`: the time in milliseconds, which tests advance themselves. */
export function createLoopBudget(now: () => number = () => performance.now()): LoopBudget {
  const queue: (() => void)[] = []
  let requestedAt = -BUSY_MS
  /** start and last use of background work in this turn of the event loop */
  let since: number | undefined
  let lastAt = 0
  let restUntil = 0
  let timer: NodeJS.Timeout | undefined
  let totalMs = 0
  let longestMs = 0

  function begin(): void {
    if (since !== undefined) return
    since = now()
    lastAt = since
    setImmediate(endStep)
  }

  function endStep(): void {
    const usedMs = lastAt - (since ?? lastAt)
    since = undefined
    totalMs += usedMs
    longestMs = Math.max(longestMs, usedMs)
    const endedAt = now()
    if (endedAt - requestedAt < BUSY_MS) restUntil = endedAt + REST * usedMs
    grant()
  }

  /** Gives the turn to the task that has waited longest, after the rest. One task is started in each turn of the event loop. */
  function grant(): void {
    if (queue.length === 0 || since !== undefined || timer !== undefined) return
    const restMs = restUntil - now()
    if (restMs > 0) {
      timer = setTimeout(() => {
        timer = undefined
        grant()
      }, restMs)
      return
    }
    begin()
    queue.shift()?.()
  }

  return {
    requested: () => {
      requestedAt = now()
    },
    turn: () => {
      const at = now()
      if (since !== undefined) {
        lastAt = at
        if (at - since < STEP_MS) return undefined
      } else if (queue.length === 0 && at >= restUntil) {
        begin()
        return undefined
      }
      const turn = new Promise<void>((resolve) => queue.push(resolve))
      grant()
      return turn
    },
    begin,
    mark: () => {
      if (since !== undefined) lastAt = now()
    },
    waiting: () => queue.length,
    totalMs: () => totalMs,
    takeLongestMs: () => {
      const taken = longestMs
      longestMs = 0
      return taken
    },
  }
}
