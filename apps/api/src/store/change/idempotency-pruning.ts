import type { Logger } from 'pino'
import type { Store } from '../store.ts'
import { IDEMPOTENCY_KEYS_KEPT_DAYS, pruneIdempotencyKeys } from './idempotency.ts'

const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000
/** What one transaction forgets: some milliseconds; other changes get in between. */
const KEYS_AT_ONCE = 500

/** Forgets what is past its time, at the start and then once an hour. */
export function startMaintenance(store: Store, logger: Pick<Logger, 'error'>): { stop(): void } {
  let stopped = false
  let isIdle = true
  const run = async () => {
    if (!isIdle) return
    isIdle = false
    try {
      await forgetOldKeys(store, { isStopped: () => stopped })
    } catch (error) {
      logger.error({ err: error }, 'maintenance failed')
    } finally {
      isIdle = true
    }
  }
  void run()
  const timer = setInterval(() => void run(), EVERY_MS)
  timer.unref()
  return {
    stop: () => {
      stopped = true
      clearInterval(timer)
    },
  }
}

/** Forgets the idempotency keys past their time, a little in each transaction, and answers how many there were. */
export async function forgetOldKeys(
  store: Store,
  { atOnce = KEYS_AT_ONCE, isStopped = () => false }: { atOnce?: number; isStopped?: () => boolean } = {},
): Promise<number> {
  const before = new Date(store.clock().getTime() - IDEMPOTENCY_KEYS_KEPT_DAYS * DAY_MS).toISOString()
  let forgotten = 0
  for (let last = atOnce; last === atOnce && !isStopped(); forgotten += last) {
    last = await store.write('upkeep', async (db) => {
      const value = await pruneIdempotencyKeys(db, before, atOnce)
      return { keep: value > 0, value }
    })
  }
  return forgotten
}
