import type { Logger } from 'pino'
import type { Loop } from '../../lib/every.ts'
import type { Store } from '../store.ts'
import { IDEMPOTENCY_KEYS_KEPT_DAYS, pruneIdempotencyKeys } from './idempotency.ts'
import { everyInOneProcess } from './leases.ts'

const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000
/** Number of keys that one transaction deletes. It takes some milliseconds; other changes run between two transactions. */
const KEYS_AT_ONCE = 500

/** Deletes expired idempotency keys at the start and then once an hour. */
export function startIdempotencyPruning(store: Store, log: Pick<Logger, 'error'>): Loop {
  return everyInOneProcess(store, {
    name: 'idempotency pruning',
    ms: EVERY_MS,
    work: (isStopped) => forgetOldKeys(store, { isStopped }),
    log,
    failed: 'expired idempotency keys were not deleted',
  })
}

/** Deletes expired idempotency keys, a few in each transaction, and returns their number. */
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
