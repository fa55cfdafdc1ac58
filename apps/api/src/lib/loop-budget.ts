/** Time for which background work may use the event loop before requests are served. */
const STEP_MS = 5
/**
 * Rest after a step while requests come, as a multiple of its duration. Work that nobody asked for, such as followers and upkeep tasks, gets a quarter
 * of the event loop. Jobs that a person started, and waits for, get half of it.
 */
const RESTS = { derived: 3, requested: 1 }
export type Pace = keyof typeof RESTS
/** Time after a request during which more requests are expected. */
const BUSY_MS = 250

/**
 * The turns of one kind of background work on the event loop. It waits for its turn before each statement and each commit. It uses the event loop for
 * some milliseconds, then requests are served. While requests come, all background work rests after each step; otherwise it continues at once.
 */
export type Turns = {
  /** Waits for the turn of background work. Returns undefined if the work may continue in this turn of the event loop. */
  turn(): Promise<void> | undefined
  /** Says that background work begins to use the event loop, if `turn` did not say it in this turn of the event loop. */
  begin(): void
  /** Says that background work has used the event loop until now. */
  mark(): void
}

/** The share of the event loop that all background work of a process gets together. */
export type LoopBudget = {
  /** Says that a request came. */
  onRequest(): void
  turns: Readonly<Record<Pace, Turns>>
  /** number of tasks that wait for their turn */
  waiting(): number
  /** time for which background work has used the event loop, in milliseconds */
  totalMs(): number
  /** duration of the longest step since the last call, in milliseconds */
  takeLongestMs(): number
}

/** Creates the budget of a process. `now`: the time in milliseconds, which tests advance themselves. */
export function createLoopBudget(now: () => number = () => performance.now()): LoopBudget {
  const queue: { pace: Pace; resolve: () => void }[] = []
  let requestedAt = -BUSY_MS
  /** start and last use of background work in this turn of the event loop */
  let since: number | undefined
  let lastAt = 0
  /** rest of the work that began this step, as a multiple of its duration */
  let rest = RESTS.derived
  let restUntil = 0
  let timer: NodeJS.Timeout | undefined
  let totalMs = 0
  let longestMs = 0

  function begin(pace: Pace): void {
    if (since !== undefined) return
    since = now()
    lastAt = since
    rest = RESTS[pace]
    setImmediate(endStep)
  }

  function endStep(): void {
    const usedMs = lastAt - (since ?? lastAt)
    since = undefined
    totalMs += usedMs
    longestMs = Math.max(longestMs, usedMs)
    const endedAt = now()
    if (endedAt - requestedAt < BUSY_MS) restUntil = endedAt + rest * usedMs
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
    const next = queue.shift()
    if (next === undefined) return
    begin(next.pace)
    next.resolve()
  }

  const turnsOf = (pace: Pace): Turns => ({
    turn: () => {
      const at = now()
      if (since !== undefined) {
        lastAt = at
        if (at - since < STEP_MS) return undefined
      } else if (queue.length === 0 && at >= restUntil) {
        begin(pace)
        return undefined
      }
      const turn = new Promise<void>((resolve) => queue.push({ pace, resolve }))
      grant()
      return turn
    },
    begin: () => begin(pace),
    mark: () => {
      if (since !== undefined) lastAt = now()
    },
  })

  return {
    onRequest: () => {
      requestedAt = now()
    },
    turns: { derived: turnsOf('derived'), requested: turnsOf('requested') },
    waiting: () => queue.length,
    totalMs: () => totalMs,
    takeLongestMs: () => {
      const taken = longestMs
      longestMs = 0
      return taken
    },
  }
}
