import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Problem, problemBody, unreadable } from './problem.ts'
import { commonHeaders } from './security-headers.ts'

const kinds: Partial<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: 'Headers too large',
    code: 'headers_too_large',
    detail: 'The address and the headers of this request are longer than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    code: 'request_timeout',
    detail: 'The request did not arrive completely in time.',
  },
}

/** The client closed its side during a request. If the body had started, `onRequestAbort` logs it; headers alone are not logged. */
const BROKEN_OFF = 'HPE_INVALID_EOF_STATE'

/**
 * Answers input that Node cannot parse as a request, as the API does. Only the error code is logged, because the error contains the input, including
 * cookies and passwords.
 */
export function answerUnreadable(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const problem = kinds[error.code ?? ''] ?? unreadable
  const { status, title } = problem
  const requestId = randomUUID()
  if (error.code !== BROKEN_OFF)
    this.log.info({ requestId, status, code: error.code }, 'answered an unreadable request')
  const body = problemBody(problem, requestId)
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...Object.entries(commonHeaders).map(([name, value]) => `${name}: ${value}`),
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
