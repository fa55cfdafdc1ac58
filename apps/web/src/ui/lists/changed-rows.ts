/** Ids of the rows that other people changed within the last seconds, for all lists of this window. */
import { useSyncExternalStore } from 'react'

/** Time for which a row is marked. */
const MARKED_FOR_MS = 8_000
const MOST_MARKS = 500

const listeners = new Set<() => void>()
let marked: ReadonlySet<string> = new Set()

export function markChangedRows(ids: readonly string[]): void {
  if (ids.length === 0) return
  set([...marked, ...ids].slice(-MOST_MARKS))
  setTimeout(() => set([...marked].filter((id) => !ids.includes(id))), MARKED_FOR_MS)
}

function set(ids: readonly string[]): void {
  marked = new Set(ids)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useChangedRows(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => marked)
}
