import { getLiveness } from '@prospect/api-client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Connection, connectionNow, incompleteNow, noteAnswer, subscribe } from './connection.ts'
import { ungatedFetch } from './gated-fetch.ts'

/** Why some of this page does not open until it is loaded anew; null: it is whole. */
export function useIncomplete(): string | null {
  return useSyncExternalStore(subscribe, incompleteNow)
}

/** How long it is left alone before it is asked again: doubled each time, so that everybody's pages do not hold down what comes up. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

/** A request without an answer by then went over a dead connection: the next one opens another. */
const ANSWER_WITHIN_MS = 10_000

/** Whether the service answers. The request needs no session, so it extends none. */
export function isAnswering(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  return getLiveness({ signal, fetch: ungatedFetch }).then(
    ({ response }) => response?.ok === true,
    () => false,
  )
}

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
