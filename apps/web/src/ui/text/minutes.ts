import { useSyncExternalStore } from 'react'

let count = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** One timer for the whole page, while anybody listens: a list has a time in each of its rows. */
function listen(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    count += 1
    for (const told of [...listeners]) told()
  }, 60_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const listenToNothing = () => () => undefined

/** Draws what calls it again every minute, where `isMoving`: "just now" does not stay true by itself. */
export function useMinutes(isMoving: boolean): void {
  useSyncExternalStore(isMoving ? listen : listenToNothing, () => count)
}
