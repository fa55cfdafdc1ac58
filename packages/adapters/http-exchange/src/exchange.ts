import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { addAbortSignal, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { HttpReason } from '@prospect/adapter-contract/http-reasons'
import { codeOf, Stopped } from './stopped.ts'

export type Response = Head & {
  /** decoded body, up to its regular or early end */
  body: Uint8Array<ArrayBuffer>
  /** reason for an early end; null for a complete body */
  endedBy: HttpReason | null
}

type Head = {
  status: number
  contentType: string | null
  retryAfter: string | undefined
  /** values of all Location headers */
  locations: string[]
}

export type Connection = {
  /** socket of the request, encrypted for https */
  stream: Socket
  /** returns the number of bytes received, including TLS */
  bytesReceived(): number
}

export type ExchangeOptions = {
  connection: Connection
  method: 'GET' | 'POST'
  path: string
  /** all headers to send; no others are added */
  headers: Record<string, string>
  body?: string
  acceptsGzip: boolean
  maxWireBytes: number
  maxDecodedBytes: number
  /** maximum time without a received byte; if absent, only the whole request has a time limit */
  silenceMs?: number
  /** returns true if only the head of a response with this status is read */
  isHeadEnough: (status: number) => boolean
  /** aborts with a `Stopped` as its reason */
  signal: AbortSignal
}

export const MAX_HEADER_BYTES = 16 * 1024
export const MAX_HEADERS = 100
export const MAX_INFORMATIONAL = 4

/** Sends one request on an open connection. If it is stopped after the head was received, the result is a response that ends early. */
export function exchange(options: ExchangeOptions): Promise<Response> {
  const { connection, acceptsGzip, maxWireBytes, maxDecodedBytes, silenceMs, isHeadEnough, signal } = options
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const chunks: Buffer[] = []
  let head: Head | undefined
  const end = (endedBy: HttpReason | null) => {
    if (head === undefined) reject(new Stopped(endedBy ?? 'protocol_error'))
    else resolve({ ...head, body: new Uint8Array(Buffer.concat(chunks)), endedBy })
  }
  const checkWire = () => {
    if (connection.bytesReceived() > maxWireBytes) end('size_limit')
  }

  // With `createConnection` and without an agent, the request uses no pool, no proxy and no second name resolution.
  const request = httpRequest({
    createConnection: () => connection.stream,
    method: options.method,
    path: options.path,
    setDefaultHeaders: false,
    headers: options.headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  })
  request.maxHeadersCount = 0 // counted below, because Node silently drops headers over its limit
  signal.addEventListener('abort', () => end(signal.reason.reason))
  if (silenceMs !== undefined) connection.stream.setTimeout(silenceMs, () => end('time_limit'))
  request.on('error', (error) => end(reasonOf(error)))
  request.on('upgrade', () => end('protocol_error'))

  let informational = 0
  request.on('information', ({ rawHeaders }) => {
    informational += 1
    if (informational > MAX_INFORMATIONAL) end('informational_limit')
    if (hasTooManyHeaders(rawHeaders)) end('header_limit')
    checkWire()
  })

  request.on('response', (response) => {
    const { headersDistinct } = response
    response.on('error', () => end('connection_failed'))
    if (hasTooManyHeaders(response.rawHeaders)) return end('header_limit')
    head = {
      status: response.statusCode ?? 0,
      contentType: headersDistinct['content-type']?.[0] ?? null,
      retryAfter: headersDistinct['retry-after']?.[0],
      locations: headersDistinct.location ?? [],
    }
    if (isHeadEnough(head.status)) return end(null)
    const decoded = decode(response, acceptsGzip, signal)
    if (decoded === undefined) return end('encoding_unsupported')
    let decodedBytes = 0
    response.on('data', checkWire)
    decoded.on('error', () => end('protocol_error'))
    decoded.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, maxDecodedBytes - decodedBytes))
      decodedBytes += chunk.length
      if (decodedBytes > maxDecodedBytes) end('decoded_limit')
    })
    decoded.on('end', () => end(null))
  })
  request.end(options.body)
  return promise
}

/** Returns a stream of the decoded body; undefined if the body has an encoding that was not requested, or more than one. */
function decode(response: IncomingMessage, acceptsGzip: boolean, signal: AbortSignal): Readable | undefined {
  const { headersDistinct } = response
  const transfer = listOf(headersDistinct['transfer-encoding'])
  const content = listOf(headersDistinct['content-encoding']).filter((coding) => coding !== 'identity')
  if (transfer.some((coding) => coding !== 'chunked') || content.length > 1) return undefined
  if (content.length === 0) return response
  const isGzip = content[0] === 'gzip' || content[0] === 'x-gzip'
  return acceptsGzip && isGzip ? response.pipe(addAbortSignal(signal, createGunzip())) : undefined
}

function listOf(headers: readonly string[] = []): string[] {
  return headers
    .flatMap((header) => header.split(','))
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '')
}

function hasTooManyHeaders(rawHeaders: readonly string[]): boolean {
  return rawHeaders.length / 2 > MAX_HEADERS
}

function reasonOf(error: Error): HttpReason {
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_limit'
  return code.startsWith('HPE_') ? 'protocol_error' : 'connection_failed'
}
