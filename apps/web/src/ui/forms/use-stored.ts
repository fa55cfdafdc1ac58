import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** What storage that is full or forbidden did not take: kept for this page only. */
const notTaken = new Map<string, string>()
const listeners = new Set<() => void>()

/** A small preference of this browser, one and the same wherever it is asked for. */
export function useStored<T>(key: string, parse: (value: unknown) => T): [T, (value: T) => void] {
  const text = useSyncExternalStore(subscribe, () => textOf(key))
  const value = useMemo(() => read(text, parse), [text, parse])
  const store = useCallback((next: T) => keep(key, JSON.stringify(next)), [key])
  return [value, store]
}

/** The stored value now, outside of rendering. */
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
