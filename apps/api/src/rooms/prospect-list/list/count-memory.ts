import type { Store } from '../../../store/store.ts'

/** Maximum age of a cached count. It limits the delay until changes of other processes are visible; changes of this process are visible at once. */
const MAX_AGE_MS = 1_000
const MAX_KEPT = 500

export type CountMemory = (key: string, count: () => Promise<number>) => Promise<{ count: number; at: Date }>

type Kept = { counting: ReturnType<CountMemory>; commits: number; at: Date }

/**
 * Returns a cache of counts that is valid until the next commit, so that a repeated list is not counted again. Requests for the same list share a count that
 * has not ended.
 */
export function createCountMemory(store: Store): CountMemory {
  const kept = new Map<string, Kept>()
  return (key, count) => {
    const at = store.clock()
    const commits = store.writes.commits()
    const known = kept.get(key)
    if (known !== undefined && known.commits === commits && at.getTime() - known.at.getTime() < MAX_AGE_MS)
      return known.counting
    if (kept.size >= MAX_KEPT) kept.clear()
    const fresh = { counting: count().then((found) => ({ count: found, at })), commits, at }
    kept.set(key, fresh)
    fresh.counting.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key)
    })
    return fresh.counting
  }
}
