import { AppError } from '../../lib/app-error.ts'

/** Time limit of the check. It is short because monitors have short timeouts; a slower store counts as not ready. */
const PATIENCE_MS = 2_000

/**
 * Returns a function that checks that the store can serve a change now, and throws `unavailable` with the reason if it cannot. Anybody may call the
 * route, so concurrent requests share one check.
 */
export function createReadiness(probe: () => Promise<void>, patienceMs = PATIENCE_MS): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    if (running === undefined) {
      running = probe().finally(() => {
        running = undefined
      })
      // Ignore the rejection here, because all waiting requests may have timed out before the check fails.
      running.catch(() => {})
    }
    return within(patienceMs, running)
  }
}

async function within(patienceMs: number, probe: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = 'The store does not respond in time: it is busy with another program, or its disk is slow.'
      reject(new AppError('unavailable', message, { reason: 'storage_slow' }))
    }, patienceMs)
  })
  try {
    await Promise.race([probe, tooSlow])
  } finally {
    clearTimeout(timer)
  }
}
