import { useCallback, useState } from 'react'

/** A small preference of this browser. Storage that is full or forbidden only means that it is asked again. */
export function useStored<T>(key: string, parse: (value: unknown) => T): [T, (value: T) => void] {
  const [value, setValue] = useState<{ key: string; value: T }>(() => ({ key, value: read(key, parse) }))
  const current = value.key === key ? value.value : read(key, parse)
  const store = useCallback(
    (next: T) => {
      setValue({ key, value: next })
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Kept for this page only.
      }
    },
    [key],
  )
  return [current, store]
}

function read<T>(key: string, parse: (value: unknown) => T): T {
  try {
    return parse(JSON.parse(localStorage.getItem(key) ?? 'null'))
  } catch {
    return parse(null)
  }
}
