import type { Logger } from 'pino'

export type Loop = {
  /** resolves when the first run has ended or failed */
  started: Promise<void>
  /** Prevents further runs. Resolves when the current run has ended. */
  stop(): Promise<void>
}

/**
 * Runs `work` now and then every `ms`, unless a run is still in progress. A failed run is logged with the message `failed`, and the next run is made
 * as usual. Long work should check `isStopped` between its steps. The timer does not keep the process alive.
 */
export function every(
  ms: number,
  work: (isStopped: () => boolean) => Promise<unknown>,
  { log, failed }: { log: Pick<Logger, 'error'>; failed: string },
): Loop {
  let stopped = false
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      await work(() => stopped)
    } catch (error) {
      log.error({ err: error }, failed)
    }
    running = undefined
  }
  const tick = () => {
    running ??= run()
    return running
  }
  const started = tick()
  const timer = setInterval(tick, ms).unref()
  return {
    started,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
