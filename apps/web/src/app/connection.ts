import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { ApiProblem, isProblem, LOAD_ANEW } from '../ui/api/api-problem.ts'
import { isAnswering } from '../ui/api/is-answering.ts'

export type Connection = 'online' | 'offline' | 'unreachable'

const listeners = new Set<() => void>()
let isUnreachable = false
/** Why this page is no longer whole, in a sentence; so it stays until it is loaded anew. */
let incomplete: string | null = null

/**
 * Told by every call: an answer of any kind means the service is there. A part of the app that is fetched apart tells only that it failed: the
 * web server hands it out, and this browser may have kept it, whether the service answers or not.
 */
export function noteCall(error: unknown): void {
  const next =
    error instanceof ApiProblem ? error.status === 0 || (error.status >= 502 && error.code === 'unavailable') : false
  const reason = isProblem(error, LOAD_ANEW) ? error.detail : incomplete
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

function current(): Connection {
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

/** Whether the service answers; while it does not, asks after growing pauses and refreshes the page once it does again. */
export function useConnection(): Connection {
  const connection = useSyncExternalStore(subscribe, current)
  const queryClient = useQueryClient()
  useEffect(() => {
    if (connection === 'online') return
    let isOver = false
    let pauseMs = FIRST_PAUSE_MS
    let timer = setTimeout(ask, pauseMs)
    async function ask(): Promise<void> {
      if (await isAnswering()) noteCall(null)
      else if (!isOver) {
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
        timer = setTimeout(ask, pauseMs)
      }
    }
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [connection])
  // Whoever noticed first that it is back, as a list that asks again and again does: what failed meanwhile is asked for anew.
  const wasLost = useRef(false)
  useEffect(() => {
    const isLost = connection !== 'online'
    if (wasLost.current && !isLost) void queryClient.invalidateQueries()
    wasLost.current = isLost
  }, [connection, queryClient])
  return connection
}
