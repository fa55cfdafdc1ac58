import { causeOfAbort } from '@prospect/adapter-contract/adapter'
import { Stopped } from './stopped.ts'

type Options<T> = {
  /** signal of the caller; its reason states whether a time limit or a cancellation stops the request */
  signal: AbortSignal
  /** time limit of the whole request; received bytes do not extend it */
  limitMs: number
  /** runs the request; `signal` aborts with a `Stopped` when the request must end, and also after it has ended, to close the request's resources */
  run: (signal: AbortSignal) => Promise<T>
  onStopped: (stopped: Stopped) => T
}

/** Runs a request until it ends by itself, by its time limit or by the caller's signal. Never rejects. */
export async function untilStopped<T>({ signal, limitMs, run, onStopped }: Options<T>): Promise<T> {
  const stop = new AbortController()
  const obey = () => stop.abort(new Stopped(causeOfAbort(signal) === 'timeout' ? 'time_limit' : 'cancelled'))
  const timer = setTimeout(() => stop.abort(new Stopped('time_limit')), limitMs)
  signal.addEventListener('abort', obey)
  if (signal.aborted) obey()
  try {
    stop.signal.throwIfAborted()
    return await run(stop.signal)
  } catch (error) {
    // After a stop, any error is only a consequence of the stop, so the reason of the stop is reported.
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error
    return onStopped(cause instanceof Stopped ? cause : new Stopped('connection_failed', 'transport'))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', obey)
    stop.abort(new Stopped('cancelled'))
  }
}
