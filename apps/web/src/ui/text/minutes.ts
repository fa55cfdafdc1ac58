import { useSyncExternalStore } from 'react'

let count = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** All times on the page share one timer, because a list has a time in each row. */
function listen(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    count += 1
    for (const notify of [...listeners]) notify()
  }, 60_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const listenToNothing = () => () => undefined

/** Renders the caller again every minute if `isMoving`, so that "just now" does not stay. */
export function useMinutes(isMoving: boolean): void {
  useSyncExternalStore(isMoving ? listen : listenToNothing, () => count)
}
