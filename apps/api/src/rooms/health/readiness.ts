import { AppError } from '../../lib/app-error.ts'

/** Who watches the health of a service gives up soon, and a store that is slower than this is not ready anyway. */
const PATIENCE_MS = 2_000

/**
 * Whether the store could serve a change now; throws `unavailable` with the reason when not. The route is open to
 * everybody, so however many ask at once, one probe answers them all.
 */
export function createReadiness(probe: () => Promise<void>, patienceMs = PATIENCE_MS): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    if (running === undefined) {
      running = probe().finally(() => {
        running = undefined
      })
      // Those who ask may have given up by the time it fails.
      running.catch(() => {})
    }
    return within(patienceMs, running)
  }
}

async function within(patienceMs: number, probe: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooSlow = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = 'The store does not answer in time: it is busy with another program, or its disk is slow.'
      reject(new AppError('unavailable', message, { reason: 'storage_slow' }))
    }, patienceMs)
  })
  try {
    await Promise.race([probe, tooSlow])
  } finally {
    clearTimeout(timer)
  }
}
