import { getLiveness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Connection, connectionNow, incompleteNow, noteAnswer, subscribe } from './connection.ts'
import { ungatedFetch } from './gated-fetch.ts'

/** Sentence why part of this page cannot be loaded until a reload, or null if it is complete. */
export function useIncomplete(): string | null {
  return useSyncExternalStore(subscribe, incompleteNow)
}

/** Pauses between polls during an outage. They double each time so that many open pages do not overload a service that restarts. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

/** Timeout of a poll: a request that takes longer uses a dead connection, and the next one opens a new connection. */
const ANSWER_WITHIN_MS = 10_000

/** Resolves to true if the service responds. The request needs no session and therefore does not extend one. */
export function isAnswering(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  return getLiveness({ signal, fetch: ungatedFetch }).then(
    ({ response }) => response?.ok === true,
    () => false,
  )
}

/** Polls until the service responds: after growing pauses, and immediately when the browser comes back online. Returns a function that stops it. */
export function askUntilAnswered(): () => void {
  let isOver = false
  let pauseMs = FIRST_PAUSE_MS
  let timer = setTimeout(poll, pauseMs)
  async function poll(): Promise<void> {
    const answers = await isAnswering()
    if (isOver) return
    if (answers) return noteAnswer()
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    // An `online` event can start a second request while one is in flight; keep only one timer.
    clearTimeout(timer)
    timer = setTimeout(poll, pauseMs)
  }
  const pollNow = () => void poll()
  window.addEventListener('online', pollNow)
  return () => {
    isOver = true
    clearTimeout(timer)
    window.removeEventListener('online', pollNow)
  }
}

/** Current connection state. During an outage the hook polls the service, and refreshes all queries once it responds. */
export function useConnection(): Connection {
  const connection = useSyncExternalStore(subscribe, connectionNow)
  const isLost = connection !== 'online'
  const queryClient = useQueryClient()
  useEffect(() => (isLost ? askUntilAnswered() : undefined), [isLost])
  // Any call can notice first that the service is back, for example a list that polls. Then refetch everything that failed meanwhile.
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current && !isLost) void queryClient.invalidateQueries()
    wasLost.current = isLost
  }, [isLost, queryClient])
  return connection
}
