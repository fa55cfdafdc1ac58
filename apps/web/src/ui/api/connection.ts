/** Whether the service answers, noted by the calls to it. `use-connection.ts` shows it and asks until it answers again. */
import { ApiProblem, isProblem, LOAD_ANEW } from './api-problem.ts'

export type Connection = 'online' | 'offline' | 'unreachable'

const listeners = new Set<() => void>()
let isUnreachable = false
/** Why this page is incomplete, in a sentence; it stays so until a reload. */
let incomplete: string | null = null

/** The service itself gave no answer: nothing came back, or the web server answered in its place. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || (error.status >= 502 && error.code === 'unavailable'))
}

/** Called by the API client for every answer of the service, a refusal included. */
export function noteAnswer(): void {
  note(false, incomplete)
}

/**
 * Called for each failure after its retries. Fetching a part of the app never counts as an answer: the web server or the cache of the browser
 * delivers it, also while the service is away.
 */
export function noteFailure(error: unknown): void {
  note(isUnreachable || isOutage(error), isProblem(error, LOAD_ANEW) ? error.detail : incomplete)
}

function note(next: boolean, reason: string | null): void {
  if (next === isUnreachable && reason === incomplete) return
  isUnreachable = next
  incomplete = reason
  for (const listener of listeners) listener()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** The state now, outside of React. */
export function connectionNow(): Connection {
  if (isUnreachable) return navigator.onLine ? 'unreachable' : 'offline'
  // The browser's word alone is not enough: a server on this very machine answers without any network.
  return 'online'
}

/** Why some of this page does not open until it is reloaded; null: it is complete. */
export const incompleteNow = (): string | null => incomplete
