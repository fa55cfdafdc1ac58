import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest, RawServerBase, RouteGenericInterface } from 'fastify'
import { compressed } from './compress.ts'
import { sendProblem } from './problem.ts'

/**
 * Maximum number of concurrent requests to the API; further ones wait. Each occupies a connection and memory until its body has arrived, so the TLS
 * proxy in front should buffer request bodies.
 */
const MAX_AT_ONCE = 2048

/**
 * Proxies /api to the API and streams bodies in both directions. The API gets the browser's Host, so that its origin check sees the same address as
 * the user, and the client's address. Forwarding headers from the client are dropped unless the peer is a trusted proxy.
 */
export async function apiProxy(app: FastifyInstance, options: { apiUrl: string }): Promise<void> {
  const endStreams = new Set<() => void>()
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!(payload instanceof Readable && isEventStream(reply))) return
    const end = () => {
      payload.unpipe(reply.raw)
      reply.raw.end()
    }
    endStreams.add(end)
    reply.raw.on('close', () => endStreams.delete(end))
  })
  // Event streams never end by themselves, so the server would wait for them when it closes. Clients reconnect.
  app.addHook('preClose', async () => {
    for (const end of endStreams) end()
  })
  app.addHook('onSend', async (request, reply, payload) => compressed(request, reply, payload))
  await app.register(httpProxy, {
    upstream: options.apiUrl,
    prefix: '/api',
    rewritePrefix: '/api',
    // Timeout of an idle connection. An upload that makes progress is not limited by it.
    http: { agentOptions: { keepAlive: true, maxSockets: MAX_AT_ONCE }, requestOptions: { timeout: 60_000 } },
    disableRequestLogging: true,
    // The default repeats a GET up to 10 times on 503, but retries are the client's decision. One retry only covers a reused connection that the API
    // has just closed.
    replyOptions: {
      retryDelay: ({ err, req, attempt }) =>
        attempt === 0 && req.method === 'GET' && isStaleConnection(err) ? 1 : null,
      rewriteRequestHeaders: (request, headers) => ({
        ...withoutConnection(headers),
        ...framingOf(request),
        ...forwardedHeaders(request),
      }),
      onError: (reply, { error }) => answerUnavailable(reply, error),
    },
  })
}

function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}

/**
 * Headers that are removed: those that apply to a single connection (RFC 9110, 7.6.1), and `Forwarded`, which a client could forge. The proxy sets
 * new ones where needed.
 */
const ofOneConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function withoutConnection(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.has(name)))
}

/**
 * Framing headers of the forwarded body, taken from the body that was received; none without a body. A client must not control them, for example with
 * the length of a GET whose body is dropped or with `Connection: content-length`: the API would read the rest, or another user's request, as a
 * separate request (request smuggling).
 */
function framingOf({ body, headers }: { body?: unknown; headers: IncomingHttpHeaders }): IncomingHttpHeaders {
  if (!(body instanceof Readable)) return {}
  const length = headers['content-length']
  return length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
}

function forwardedHeaders(request: { host: string; ip: string; protocol: string }): Record<string, string> {
  return {
    host: request.host,
    'x-forwarded-for': request.ip,
    'x-forwarded-proto': request.protocol,
    'x-forwarded-host': request.host,
  }
}

/** Failed requests, with the side that closed the connection. */
const failures = new WeakMap<object, 'api' | 'client'>()

/** True if the API failed to answer this request. The failure is already logged. */
export function hasFailed({ raw }: FastifyRequest): boolean {
  return failures.get(raw) === 'api'
}

/** Called for each stream that fails: the request body and the request to the API. The first call has the cause. */
function answerUnavailable(reply: FastifyReply<RouteGenericInterface, RawServerBase>, error: Error): void {
  const { id: requestId, raw, server } = reply.request
  if (failures.has(raw)) return
  const brokeOff = raw.destroyed && !raw.complete ? 'client' : 'api'
  failures.set(raw, brokeOff)
  if (brokeOff === 'api')
    server.log.warn({ requestId, code: codeOf(error.cause) ?? codeOf(error) }, 'the API did not answer')
  void reply.header('retry-after', '2')
  sendProblem(reply, {
    status: statusOf(error),
    title: 'The service is not available',
    detail: 'The API did not answer. Nothing is known to have been changed; try again in a moment.',
    code: 'unavailable',
  })
}

/** 503: the API was not reached, so nothing happened. 504: no response in time. 502: the connection broke during the request. */
function statusOf(error: Error): 502 | 503 | 504 {
  if ('statusCode' in error && error.statusCode === 504) return 504
  const code = codeOf(error.cause) ?? codeOf(error)
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH' ? 503 : 502
}

function isStaleConnection(error: unknown): boolean {
  return codeOf(error) === 'ECONNRESET'
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}
