import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** Values that could not be stored, because storage is full or blocked. They last until the page is closed. */
const notTaken = new Map<string, string>()
const listeners = new Set<() => void>()

/** A small preference, stored in this browser and shared by all components that use the key. */
export function useStored<T>(key: string, parse: (value: unknown) => T): [T, (value: T) => void] {
  const text = useSyncExternalStore(subscribe, () => textOf(key))
  const value = useMemo(() => read(text, parse), [text, parse])
  const store = useCallback((next: T) => keep(key, JSON.stringify(next)), [key])
  return [value, store]
}

/** Reads the stored value outside rendering. */
export function storedNow<T>(key: string, parse: (value: unknown) => T): T {
  return read(textOf(key), parse)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function textOf(key: string): string {
  try {
    return notTaken.get(key) ?? localStorage.getItem(key) ?? 'null'
  } catch {
    return 'null'
  }
}

function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
    notTaken.delete(key)
  } catch {
    notTaken.set(key, text)
  }
  for (const listener of listeners) listener()
}

function read<T>(text: string, parse: (value: unknown) => T): T {
  try {
    return parse(JSON.parse(text))
  } catch {
    return parse(null)
  }
}
