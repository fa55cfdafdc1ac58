/** State of the connection to the service, recorded by each API call. `use-connection.ts` shows it and polls until the service responds again. */
import { ApiProblem, isProblem, LOAD_ANEW } from './api-problem.ts'

export type Connection = 'online' | 'offline' | 'unreachable'

const listeners = new Set<() => void>()
let isUnreachable = false
/** Sentence why part of this page cannot be loaded. It stays until a reload. */
let incomplete: string | null = null

/** True if the service gave no response: the request failed, or the web server responded in its place. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || (error.status >= 502 && error.code === 'unavailable'))
}

/** Called by the API client for every response of the service, including errors. */
export function noteAnswer(): void {
  note(false, incomplete)
}

/**
 * Called for each failure after its retries. A loaded file of the app never counts as a response of the service: the web server or the browser's
 * cache can deliver it during an outage.
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

/** Current state, for code outside React. */
export function connectionNow(): Connection {
  if (isUnreachable) return navigator.onLine ? 'unreachable' : 'offline'
  // `navigator.onLine` alone is not enough: a server on this machine responds without any network.
  return 'online'
}

/** Sentence why part of this page cannot be loaded until a reload, or null if it is complete. */
export const incompleteNow = (): string | null => incomplete
