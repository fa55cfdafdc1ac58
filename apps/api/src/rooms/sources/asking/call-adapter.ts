import { performance } from 'node:perf_hooks'
import {
  type Adapter,
  MAX_RETRY_AFTER_MS,
  type Transport,
  transportResultSchema,
  type UnavailableCause,
} from '@prospect/adapter-contract/adapter'
import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import { JobInterrupted } from '../../jobs/jobs.ts'
import type { Purpose } from '../purposes.ts'

/** Additional time after the time limit. A transport that has not settled by then is abandoned. */
export const OVERRUN_MS = 2_000

export type Call = {
  adapter: Adapter
  query: unknown
  settings: unknown
  timeoutMs: number
  maxBytes: number
  attempt: number
  signal: AbortSignal
  clock: Clock
}

/**
 * Reasons for which a request is stopped: the time limit of the contract, a cancellation by a person, or an end of the job without one (a shutdown, a
 * lost lease, the time limit of the job). Only the first is a failure of the source.
 */
export type StopCause = 'timeout' | 'cancelled' | 'interrupted'

/** The validated result of an adapter call. `adapter_failed`: the adapter threw, or its transport could not be loaded. */
export type Called<Answer = unknown, Trace = unknown> = {
  latencyMs: number
  bytes: number
  trace: Trace | null
  result:
    | { outcome: 'answered'; records: Answer[]; isComplete: boolean; next: unknown }
    | { outcome: 'deferred'; cause: string; retryAfterMs: number | null }
    | { outcome: 'unavailable'; cause: UnavailableCause | StopCause | 'adapter_failed'; fault: 'target' | 'transport' }
}

/** Returns why the caller's signal stops a request. */
export function causeOfSignal({ reason }: AbortSignal): Exclude<StopCause, 'timeout'> {
  return reason instanceof JobInterrupted && reason.interruption !== 'cancelled' ? 'interrupted' : 'cancelled'
}

const transports = new WeakMap<Adapter, Promise<Transport>>()

/**
 * Sends one request through an adapter, whose code is not trusted: it may throw, never settle, ignore its signal or return anything. The promise
 * never rejects and settles within the time limit plus `OVERRUN_MS`.
 */
export async function callAdapter<Answer, Trace>(
  call: Call,
  purpose: Purpose<Answer, Trace>,
): Promise<Called<Answer, Trace>> {
  const startedAt = performance.now()
  const { returned, stopped } = await requestOf(call)
  const latencyMs = Math.round(performance.now() - startedAt)
  if (returned === 'threw') return failed('adapter_failed', latencyMs)
  if (returned === 'overran') return failed(stopped ?? 'timeout', latencyMs)
  return { ...withStopCause(readResult(returned.value, call, purpose), stopped), latencyMs }
}

type Returned = { value: unknown } | 'threw' | 'overran'

/** Sends the request. `stopped`: why it was stopped before it ended; undefined if it was not. */
async function requestOf(call: Call): Promise<{ returned: Returned; stopped: StopCause | undefined }> {
  const { adapter, signal, timeoutMs } = call
  const stop = new AbortController()
  let stopped: StopCause | undefined
  const cancel = () => {
    stopped ??= causeOfSignal(signal)
    stop.abort(signal.reason)
  }
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  const over = Promise.withResolvers<Returned>()
  const limit = setTimeout(() => {
    stopped ??= 'timeout'
    stop.abort(new DOMException('The time limit of the contract ended.', 'TimeoutError'))
  }, timeoutMs)
  const patience = setTimeout(() => over.resolve('overran'), timeoutMs + OVERRUN_MS)
  stop.signal.addEventListener('abort', () => setTimeout(() => over.resolve('overran'), OVERRUN_MS).unref(), {
    once: true,
  })
  const sent = async (): Promise<Returned> => {
    try {
      const transport = await transportOf(adapter)
      const { query, settings, maxBytes, attempt, clock } = call
      const input = { query, settings, signal: stop.signal, timeoutMs, maxBytes, attempt, now: clock }
      return { value: await transport.request(input) }
    } catch {
      // The error is neither logged nor stored, because it may contain a query or a secret.
      return 'threw'
    }
  }
  try {
    const returned = await Promise.race([sent(), over.promise])
    return { returned, stopped }
  } finally {
    clearTimeout(limit)
    clearTimeout(patience)
    signal.removeEventListener('abort', cancel)
    stop.abort()
  }
}

/** Imports the transport when a source is first used. A failed import is retried. */
function transportOf(adapter: Adapter): Promise<Transport> {
  const known = transports.get(adapter)
  if (known !== undefined) return known
  const loading = adapter.load()
  transports.set(adapter, loading)
  loading.catch(() => transports.delete(adapter))
  return loading
}

function readResult<Answer, Trace>(
  value: unknown,
  { maxBytes }: Call,
  purpose: Purpose<Answer, Trace>,
): Omit<Called<Answer, Trace>, 'latencyMs'> {
  const parsed = transportResultSchema.safeParse(withShorterWait(value))
  if (!parsed.success) return invalid(0)
  const result = parsed.data
  const { bytesReceived: bytes } = result
  const trace = purpose.trace.safeParse(result.trace)
  if (!trace.success) return invalid(bytes)
  const about = { bytes, trace: trace.data }
  switch (result.outcome) {
    case 'deferred': {
      const { cause, retryAfterMs } = result
      return { ...about, result: { outcome: 'deferred', cause, retryAfterMs } }
    }
    case 'unavailable': {
      const { cause, fault } = result
      return { ...about, result: { outcome: 'unavailable', cause, fault } }
    }
    case 'answered': {
      if (bytes > maxBytes)
        return { ...about, result: { outcome: 'unavailable', cause: 'answer_too_large', fault: 'target' } }
      const records = z.array(purpose.record).safeParse(result.records)
      if (!records.success) return invalid(bytes)
      const { isComplete, next } = result
      return { ...about, result: { outcome: 'answered', records: records.data, isComplete, next: next ?? null } }
    }
  }
}

/**
 * Replaces the cause of a request that ended because it was stopped by the reason of the stop, which the API knows and an adapter may not. An adapter
 * that reports a cancellation without one breaks the contract, and would otherwise escape the circuit.
 */
function withStopCause<Answer, Trace>(
  called: Omit<Called<Answer, Trace>, 'latencyMs'>,
  stopped: StopCause | undefined,
): Omit<Called<Answer, Trace>, 'latencyMs'> {
  const { result } = called
  if (result.outcome !== 'unavailable' || (result.cause !== 'cancelled' && result.cause !== 'timeout')) return called
  const cause = stopped ?? (result.cause === 'timeout' ? 'timeout' : 'answer_invalid')
  return { ...called, result: { ...result, cause } }
}

const longWait = z.looseObject({ outcome: z.literal('deferred'), retryAfterMs: z.number().gt(MAX_RETRY_AFTER_MS) })

/** Replaces an excessive Retry-After by the maximum wait, so that the response is not rejected as invalid. */
function withShorterWait(value: unknown): unknown {
  const long = longWait.safeParse(value)
  return long.success ? { ...long.data, retryAfterMs: MAX_RETRY_AFTER_MS } : value
}

function invalid(bytes: number): Omit<Called<never, never>, 'latencyMs'> {
  return { bytes, trace: null, result: { outcome: 'unavailable', cause: 'answer_invalid', fault: 'transport' } }
}

function failed(cause: StopCause | 'adapter_failed', latencyMs: number): Called<never, never> {
  return { latencyMs, bytes: 0, trace: null, result: { outcome: 'unavailable', cause, fault: 'transport' } }
}
