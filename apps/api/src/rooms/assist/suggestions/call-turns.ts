import { MAX_CONCURRENT_CALLS } from '@prospect/adapter-contract/prompt'

/*
 * Calls of this process take turns, so that accepted requests wait instead of being refused. The bound over all processes is the count of
 * open reservations.
 */

let running = 0
let waiting: (() => void)[] = []

/** Waits for a place, and runs the call in it. Errors: the reason of the signal. */
export async function inTurn<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  while (running >= MAX_CONCURRENT_CALLS) await nextRelease(signal)
  signal.throwIfAborted()
  running += 1
  try {
    return await call()
  } finally {
    running -= 1
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
}

function nextRelease(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  waiting.push(() => {
    signal.removeEventListener('abort', leave)
    resolve()
  })
  return promise
}
