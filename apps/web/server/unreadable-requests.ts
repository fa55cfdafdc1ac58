import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const kinds: Partial<Record<string, { status: number; title: string; code: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: 'Headers too large',
    code: 'headers_too_large',
    detail: 'The address and the headers of this request are longer than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: 'Took too long',
    code: 'request_timeout',
    detail: 'The request did not come to its end in time.',
  },
}

/**
 * Answers what Node cannot read and therefore makes no request of, as the API does. Only the rule that it broke is logged: the error
 * carries what was sent, cookies and passwords with it.
 */
export function answerUnreadable(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, title, code, detail } = kinds[error.code ?? ''] ?? {
    status: 400,
    title: 'The request is not valid',
    code: 'invalid_request',
    detail: 'The request could not be read.',
  }
  const requestId = randomUUID()
  this.log.info({ requestId, status, code: error.code }, 'answered what cannot be read')
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, requestId })
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
