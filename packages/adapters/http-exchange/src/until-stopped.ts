import { Stopped } from './stopped.ts'

type Options<T> = {
  /** the caller's */
  signal: AbortSignal
  /** of the whole request: bytes that arrive do not extend it */
  limitMs: number
  /** its signal aborts with a `Stopped`, and in any case once the request has ended: it closes what the request opened */
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
    // What fails because the request was stopped is not the reason.
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error
    return onStopped(cause instanceof Stopped ? cause : new Stopped('connection_failed', 'transport'))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
