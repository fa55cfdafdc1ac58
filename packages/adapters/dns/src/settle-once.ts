type Options<T> = {
  signal: AbortSignal
  limitMs: number
  onCancel: () => T
  onTimeout: () => T
  /** closes the resources of the request */
  release: () => void
}

/**
 * Creates a promise for a request that ends exactly once: by `settle`, by the caller's signal, or by its time limit. The limit covers the whole
 * request; received bytes do not extend it. Later events have no effect.
 */
export function settleOnce<T>({ signal, limitMs, onCancel, onTimeout, release }: Options<T>) {
  const { promise, resolve } = Promise.withResolvers<T>()
  let isSettled = false
  const settle = (value: T) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    release()
    resolve(value)
  }
  const cancel = () => settle(onCancel())
  const timer = setTimeout(() => settle(onTimeout()), limitMs)
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel)
  return { ended: promise, settle }
}
