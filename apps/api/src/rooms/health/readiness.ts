import { AppError } from '../../lib/app-error.ts'

/** Time limit of the check. Monitors have short timeouts, so a slower store counts as not ready. */
const PATIENCE_MS = 2_000

/**
 * Returns a check that the store can serve a change now; it throws `unavailable` with the reason if not. The route is open to everybody, so
 * concurrent requests share one check.
 */
export function createReadiness(probe: () => Promise<void>, patienceMs = PATIENCE_MS): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    if (running === undefined) {
      running = probe().finally(() => {
        running = undefined
      })
      // The requests may have timed out before the check fails, so ignore its rejection here.
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
