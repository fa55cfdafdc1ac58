import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { newId } from '../lib/ids.ts'

/** Number of bytes of a span id (W3C Trace Context, 3.2.2.4). */
const SPAN_BYTES = 8
/** The fields of a `traceparent` header. A later version may add fields after another hyphen. */
const TRACEPARENT = /^(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/
const REQUEST_IN_TRACE = /^([0-9a-f]{32})-[0-9a-f]{16}$/
const ALL_ZEROS = /^0+$/

/**
 * Returns the trace id of a `traceparent` header as W3C Trace Context defines it; undefined if the header is missing or invalid, so that a wrong value
 * is ignored. Node joins repeated headers with a comma, which is invalid too.
 */
export function traceIdOf(traceparent: string | string[] | undefined): string | undefined {
  const fields = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups : undefined
  if (fields === undefined) return undefined
  const { version, trace = '', parent = '', more } = fields
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return ALL_ZEROS.test(trace) || ALL_ZEROS.test(parent) ? undefined : trace
}

/**
 * Returns the id of a new request, which is also the correlation id of its audit events. In a trace it is the trace id and a new span id, because the
 * caller's trace id alone would not identify one request.
 */
export function newRequestId({ headers }: IncomingMessage): string {
  const traceId = traceIdOf(headers.traceparent)
  return traceId === undefined ? newId() : `${traceId}-${newSpanId()}`
}

/** Returns the trace id in the id of a request; undefined if the request is not part of a trace. */
export function traceOfRequest(requestId: string): string | undefined {
  return REQUEST_IN_TRACE.exec(requestId)?.[1]
}

function newSpanId(): string {
  const id = randomBytes(SPAN_BYTES).toString('hex')
  return ALL_ZEROS.test(id) ? newSpanId() : id
}
