import { isRetryable, type UnavailableCause } from '@prospect/adapter-contract/adapter'
import type { SourceStatus } from '../registry/status.rules.ts'
import type { StoredOutcome } from '../sources.schema.ts'
import type { Called } from './call-adapter.ts'

/* Pure rules for the effect of a request's result on its source, its host and its query. */

/** Wait after a provider deferred a request without naming a time. */
const DEFAULT_WAIT_MS = 60_000
/** Wait after a host denied access. */
const DENIED_HOST_MS = 24 * 3_600_000

/** Maps each status of a source to the reason why no query is sent to it. */
export const statusReasons: Record<Exclude<SourceStatus, 'enabled'>, string> = {
  withdrawn: 'source_withdrawn',
  rejected: 'source_rejected',
  incomplete: 'source_incomplete',
  awaiting_approval: 'source_awaiting_approval',
  lapsed: 'source_lapsed',
  approved: 'source_not_enabled',
}

export type Meaning = {
  /** true if the circuit counts the result as a failure, false if as a success; null if it does not count it */
  isFailure: boolean | null
  isAccessDenied: boolean
  cause: string | null
  /** time in which no further request is sent to the source, or to this host if the source has varying hosts; null if requests may continue */
  deferMs: number | null
  counter: 'answers' | 'rate_limited' | 'timeouts' | 'errors' | null
}

export function meaningOf(
  { result }: Pick<Called, 'result'>,
  answersFrom: 'one_provider' | 'varying_targets',
): Meaning {
  const isOne = answersFrom === 'one_provider'
  switch (result.outcome) {
    case 'answered':
      return { isFailure: false, isAccessDenied: false, cause: null, deferMs: null, counter: 'answers' }
    case 'deferred': {
      const { cause, retryAfterMs } = result
      const deferMs = retryAfterMs ?? DEFAULT_WAIT_MS
      return { isFailure: null, isAccessDenied: false, cause, deferMs, counter: 'rate_limited' }
    }
    case 'unavailable': {
      const { cause, fault } = result
      if (cause === 'cancelled' || cause === 'interrupted')
        return { isFailure: null, isAccessDenied: false, cause, deferMs: null, counter: null }
      const isDenied = cause === 'access_denied'
      return {
        isFailure: isOne || fault === 'transport' ? true : null,
        isAccessDenied: isOne && isDenied,
        cause,
        deferMs: !isOne && isDenied ? DENIED_HOST_MS : null,
        counter: cause === 'timeout' ? 'timeouts' : 'errors',
      }
    }
  }
}

/** The progress of a query so far. */
export type Progress = { records: number; requests: number; attempt: number }
export type Ceiling = { maxRequests: number; maxRecords: number; maxAttempts: number }

export type Step =
  | { kind: 'finish'; outcome: StoredOutcome }
  | { kind: 'retry'; afterMs: number; cause: UnavailableCause }
  | { kind: 'next'; query: unknown }

const FIRST_PAUSE_MS = 500

/**
 * Returns what follows a request: another request, or the end of the query. `progress` includes the request that just ended; its `records` counts
 * those of the whole query without duplicates.
 */
export function stepAfter(
  { result }: Pick<Called, 'result'>,
  progress: Progress,
  ceiling: Ceiling,
  until: string | null,
): Step {
  switch (result.outcome) {
    case 'answered': {
      const isFull = progress.records >= ceiling.maxRecords && !(result.isComplete && result.next === null)
      const mayGoOn = progress.requests < ceiling.maxRequests && !isFull
      if (result.next !== null && mayGoOn) return { kind: 'next', query: result.next }
      const reason = result.isComplete && result.next === null ? null : reasonOf(result.next !== null, isFull)
      return finish({ outcome: 'answered', isComplete: reason === null, records: progress.records, reason })
    }
    case 'deferred':
      return finish(withRecords(progress, { outcome: 'deferred', reason: result.cause, until }))
    case 'unavailable': {
      const { cause } = result
      if (isRepeatable(cause) && progress.attempt < ceiling.maxAttempts)
        return { kind: 'retry', afterMs: FIRST_PAUSE_MS * 2 ** (progress.attempt - 1), cause }
      return finish(withRecords(progress, { outcome: 'unavailable', reason: cause }))
    }
  }
}

function reasonOf(hasNext: boolean, isFull: boolean): string {
  if (isFull) return 'record_bound'
  return hasNext ? 'request_bound' : 'provider_incomplete'
}

function isRepeatable(cause: UnavailableCause | 'adapter_failed' | 'interrupted'): cause is UnavailableCause {
  return cause !== 'adapter_failed' && cause !== 'interrupted' && isRetryable(cause)
}

/**
 * Returns the outcome of a query that failed. If records were received before, the outcome is `answered` but incomplete, with the reason of the
 * failure.
 */
export function withRecords(
  { records }: Pick<Progress, 'records'>,
  ended: Exclude<StoredOutcome, { outcome: 'answered' }>,
): StoredOutcome {
  return records === 0 ? ended : { outcome: 'answered', isComplete: false, records, reason: ended.reason }
}

function finish(outcome: StoredOutcome): Step {
  return { kind: 'finish', outcome }
}
