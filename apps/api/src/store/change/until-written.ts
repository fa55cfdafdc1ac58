import type { Store } from '../store.ts'

/**
 * Caches values read from the store until anything is written to it, by this process or another, so a cached value is never older than a new read.
 * Missing values are not cached. When the cache exceeds `max` it is emptied, so it cannot grow without limit.
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
    // The store may have been written during the read. The value is then returned but not cached.
    if (found !== undefined && store.version() === version) kept.set(key, found)
    return found
  }
}
