import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { ApiProblem } from '../ui/api-problem.ts'

export type Connection = 'online' | 'offline' | 'unreachable'

const listeners = new Set<() => void>()
let isUnreachable = false

/** Told by every call: an answer of any kind means the service is there. */
export function noteCall(error: unknown): void {
  const next =
    error instanceof ApiProblem ? error.status === 0 || (error.status >= 502 && error.code === 'unavailable') : false
  if (next === isUnreachable) return
  isUnreachable = next
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

/** Whether the service answers; while it does not, asks every few seconds and refreshes the page once it does again. */
export function useConnection(): Connection {
  const connection = useSyncExternalStore(subscribe, current)
  const queryClient = useQueryClient()
  useEffect(() => {
    if (connection === 'online') return
    const timer = setInterval(async () => {
      const isBack = await fetch('/api/v1/health/live', { cache: 'no-store' }).then(
        (response) => response.ok,
        () => false,
      )
      if (!isBack) return
      noteCall(null)
      await queryClient.invalidateQueries()
    }, 4000)
    return () => clearInterval(timer)
  }, [connection, queryClient])
  return connection
}
