type Options<T> = {
  signal: AbortSignal
  limitMs: number
  onCancel: () => T
  onTimeout: () => T
  /** closes what the request opened */
  release: () => void
}

/**
 * A request that ends exactly once: by `settle`, by the caller's signal, or by its time limit, which counts the whole request and is not
 * reset by bytes that arrive. Later events change nothing.
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
