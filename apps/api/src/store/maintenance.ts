import type { Logger } from 'pino'
import { IDEMPOTENCY_KEYS_KEPT_DAYS, pruneIdempotencyKeys } from './idempotency.ts'
import type { Store } from './store.ts'

const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

/** Forgets what is past its time, once an hour. */
export function startMaintenance(store: Store, logger: Pick<Logger, 'error'>): { stop(): void } {
  const run = () => {
    const before = new Date(store.clock().getTime() - IDEMPOTENCY_KEYS_KEPT_DAYS * DAY_MS).toISOString()
    store.writes
      .write(async () => {
        await pruneIdempotencyKeys(store.writer, before)
        return { keep: true, value: undefined }
      })
      .catch((error: unknown) => logger.error({ err: error }, 'maintenance failed'))
  }
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
