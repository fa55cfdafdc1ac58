import { MAX_RETRY_AFTER_MS, type TransportResult } from '@prospect/adapter-contract/adapter'

type NotAnswered<Trace> = Exclude<TransportResult<never, never, Trace>, { outcome: 'answered' }>

/**
 * Returns the result of an HTTP status that means no answer. Returns undefined for 2xx, and for a status that the adapter handles itself. 429, and
 * 503 with Retry-After, defer the request; 401, 403 and 451 deny access.
 */
export function resultOfStatus<Trace>(
  status: number,
  {
    retryAfter,
    now,
    trace,
    bytesReceived,
  }: { retryAfter: string | undefined; now: () => Date; trace: Trace; bytesReceived: number },
): NotAnswered<Trace> | undefined {
  const retryAfterMs = retryAfterOf(retryAfter, now)
  if (status === 429) return { outcome: 'deferred', cause: 'rate_limited', retryAfterMs, trace, bytesReceived }
  if (status === 503 && retryAfterMs !== null)
    return { outcome: 'deferred', cause: 'overloaded', retryAfterMs, trace, bytesReceived }
  const cause = causeOf(status)
  return cause === undefined ? undefined : { outcome: 'unavailable', cause, fault: 'target', trace, bytesReceived }
}

function causeOf(status: number) {
  if (status === 401 || status === 403 || status === 451) return 'access_denied'
  if (status === 408) return 'timeout'
  if (status >= 500) return 'server_error'
  if (status >= 400) return 'request_rejected'
  if (status >= 300) return 'redirect_refused'
  return undefined
}

/**
 * Converts a Retry-After header (seconds or an HTTP date; RFC 9110, 10.2.3) to a waiting time in milliseconds. Returns null if the header is absent
 * or invalid.
 */
export function retryAfterOf(header: string | undefined, now: () => Date): number | null {
  if (header === undefined) return null
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1_000 : httpDate(header) - now().getTime()
  if (Number.isNaN(waitMs)) return null
  return Math.round(Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS))
}

/** Parses an HTTP date in the format that servers must send; NaN for any other text, because `Date.parse` accepts many more formats. */
function httpDate(text: string): number {
  return /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
}
