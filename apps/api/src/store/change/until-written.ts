import type { Store } from '../store.ts'

/**
 * Returns a function that caches values read from the store. Any write to the store, by this process or another, empties the cache, so a cached value
 * is never older than a new read. Missing values are not cached. The cache is also emptied when it exceeds `max` values.
 */
export function untilWritten<V>(
  store: Pick<Store, 'version'>,
  max: number,
  read: (key: string) => Promise<V | undefined>,
): (key: string) => Promise<V | undefined> {
  const kept = new Map<string, V>()
  let keptAt: number | undefined
  return async (key) => {
    const version = store.version()
    if (version !== keptAt || kept.size >= max) kept.clear()
    keptAt = version
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = await read(key)
    // Does not cache a value if the store was written during the read, because the value may be outdated already.
    if (found !== undefined && store.version() === version) kept.set(key, found)
    return found
  }
}
