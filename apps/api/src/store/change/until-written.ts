import type { Store } from '../store.ts'

/**
 * Remembers what was read of the store until anything is written to it, by this program or another: an answer is never older than
 * one that was read anew. What was not found is not remembered, and past `max` it starts again, so nobody can fill it.
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
    // Somebody may have written while this was read: then it is answered, but not kept.
    if (found !== undefined && store.version() === version) kept.set(key, found)
    return found
  }
}
