import { setTimeout as delay } from 'node:timers/promises'
import { BenchmarkError } from './figures.ts'

/*
 * Waits for the end of background work before a value at rest is measured: jobs, followers of changes, upkeep, and the threads of the store. The
 * followers have positions of different kinds, and upkeep has none, so processor time is the sign that covers all of them.
 */

/** The signs of background work in one process. */
export type Signs = {
  /** processor time so far, including that of ended threads */
  processorSeconds(): number
  /** kinds of the jobs that have not ended */
  openJobs(): readonly string[] | Promise<readonly string[]>
}

type Patience = {
  /** longest wait */
  withinMs?: number
  pause?: (ms: number) => Promise<unknown>
  now?: () => number
}

const WINDOW_MS = 2_000
/** Number of quiet windows in a row. Some followers pause between two rounds. */
const WINDOWS = 2
/** Share of one processor that the loops of an idle process use at most. */
const QUIET_SHARE = 0.05
const WITHIN_MS = 900_000

/** Resolves when the process has been quiet for some seconds. Errors if it is not quiet within the given time. */
export async function untilQuiet(
  signs: Signs,
  { withinMs = WITHIN_MS, pause = delay, now = () => performance.now() }: Patience = {},
): Promise<void> {
  const startedAt = now()
  for (let quiet = 0; ; ) {
    const before = signs.processorSeconds()
    const from = now()
    await pause(WINDOW_MS)
    const share = ((signs.processorSeconds() - before) * 1_000) / (now() - from)
    const jobs = await signs.openJobs()
    quiet = share < QUIET_SHARE && jobs.length === 0 ? quiet + 1 : 0
    if (quiet === WINDOWS) return
    if (now() - startedAt >= withinMs)
      throw new BenchmarkError(
        `The baseline is not quiet: after ${Math.round((now() - startedAt) / 1_000)} s the process still uses ${Math.round(share * 100)} % of a processor${jobs.length === 0 ? '' : ` and has not ended ${jobs.join(', ')}`}.`,
      )
  }
}
