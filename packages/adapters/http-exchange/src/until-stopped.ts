import { Stopped } from './stopped.ts'

type Options<T> = {
  /** the caller's signal */
  signal: AbortSignal
  /** limit of the whole request; received bytes do not extend it */
  limitMs: number
  /** runs the request; `signal` aborts with a `Stopped`, and always once the request has ended, and closes the request's resources */
  run: (signal: AbortSignal) => Promise<T>
  onStopped: (stopped: Stopped) => T
}

/** A request that ends by itself, by its time limit or by the caller's signal, and never rejects. */
export async function untilStopped<T>({ signal, limitMs, run, onStopped }: Options<T>): Promise<T> {
  const stop = new AbortController()
  const cancel = () => stop.abort(new Stopped('cancelled'))
  const timer = setTimeout(() => stop.abort(new Stopped('time_limit')), limitMs)
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  try {
    stop.signal.throwIfAborted()
    return await run(stop.signal)
  } catch (error) {
    // An error that follows from the stop is not the reason of the end.
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error
    return onStopped(cause instanceof Stopped ? cause : new Stopped('connection_failed', 'transport'))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
