import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { ApiProblem, isProblem, LOAD_ANEW } from './api-problem.ts'
import { isAnswering } from './is-answering.ts'

export type Connection = 'online' | 'offline' | 'unreachable'

const listeners = new Set<() => void>()
let isUnreachable = false
/** Why this page is no longer whole, in a sentence; so it stays until it is loaded anew. */
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

function subscribe(listener: () => void): () => void {
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

/** Why some of this page does not open until it is loaded anew; null: it is whole. */
export function useIncomplete(): string | null {
  return useSyncExternalStore(subscribe, () => incomplete)
}

/** How long it is left alone before it is asked again: doubled each time, so that everybody's pages do not hold down what comes up. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

/** Asks until the service answers: after growing pauses, and at once when the browser is online again. Returns a function that stops it. */
export function askUntilAnswered(): () => void {
  let isOver = false
  let pauseMs = FIRST_PAUSE_MS
  let timer = setTimeout(ask, pauseMs)
  async function ask(): Promise<void> {
    const answers = await isAnswering()
    if (isOver) return
    if (answers) return noteAnswer()
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    // Two questions may be in flight after an `online` event: keep one timer.
    clearTimeout(timer)
    timer = setTimeout(ask, pauseMs)
  }
  const askAtOnce = () => void ask()
  window.addEventListener('online', askAtOnce)
  return () => {
    isOver = true
    clearTimeout(timer)
    window.removeEventListener('online', askAtOnce)
  }
}

/** Whether the service answers; while it does not, asks again and again, and refreshes the page once it does. */
export function useConnection(): Connection {
  const connection = useSyncExternalStore(subscribe, connectionNow)
  const isLost = connection !== 'online'
  const queryClient = useQueryClient()
  useEffect(() => (isLost ? askUntilAnswered() : undefined), [isLost])
  // Whoever noticed first that it is back, as a list that asks again and again does: what failed meanwhile is asked for anew.
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current && !isLost) void queryClient.invalidateQueries()
    wasLost.current = isLost
  }, [isLost, queryClient])
  return connection
}
