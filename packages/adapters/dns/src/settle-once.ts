import { causeOfAbort } from '@prospect/adapter-contract/adapter'

type Options<T> = {
  signal: AbortSignal
  limitMs: number
  onStopped: (cause: 'timeout' | 'cancelled') => T
  /** closes the resources of the request */
  release: () => void
}

/**
 * Creates a promise for a request that ends exactly once: by `settle`, by the caller's signal, or by its time limit. The limit covers the whole
 * request; received bytes do not extend it. Later events have no effect. The reason of the signal decides whether it cancels the request or ends its
 * time.
 */
export function settleOnce<T>({ signal, limitMs, onStopped, release }: Options<T>) {
  const { promise, resolve } = Promise.withResolvers<T>()
  let isSettled = false
  const settle = (value: T) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    signal.removeEventListener('abort', obey)
    release()
    resolve(value)
  }
  const obey = () => settle(onStopped(causeOfAbort(signal)))
  const timer = setTimeout(() => settle(onStopped('timeout')), limitMs)
  if (signal.aborted) obey()
  else signal.addEventListener('abort', obey)
  return { ended: promise, settle }
}
