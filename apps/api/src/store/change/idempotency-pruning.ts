import { daysAfter } from '../../lib/clock.ts'
import type { Store } from '../store.ts'
import { hasIdempotencyKeyBefore, IDEMPOTENCY_KEYS_KEPT_DAYS, pruneIdempotencyKeys } from './idempotency.ts'

/** A task of the store itself, in the form of the tasks of rooms (`Upkeep`): deletes expired idempotency keys of all tenants. */
export const keyPruning = {
  name: 'delete expired idempotency keys',
  everyMs: 3_600_000,
  // A transaction of this size takes some milliseconds.
  limit: 500,
  forStore: forgetOldKeys,
}

/** Deletes expired idempotency keys, a few in each transaction, and returns their number. Without one it opens no transaction. */
export async function forgetOldKeys({
  store,
  limit,
  isStopped,
}: {
  store: Store
  limit: number
  isStopped(): boolean
}): Promise<number> {
  const before = daysAfter(store.clock(), -IDEMPOTENCY_KEYS_KEPT_DAYS)
  let forgotten = 0
  while (!isStopped() && (await hasIdempotencyKeyBefore(store.reader, before))) {
    forgotten += await store.write('upkeep', async (db) => {
      const value = await pruneIdempotencyKeys(db, before, limit)
      return { keep: value > 0, value }
    })
  }
  return forgotten
}
