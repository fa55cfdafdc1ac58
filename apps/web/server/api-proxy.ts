import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance, FastifyReply, FastifyRequest, RawServerBase, RouteGenericInterface } from 'fastify'
import { compressed } from './compress.ts'
import { sendProblem } from './problem.ts'

/**
 * Requests that are with the API at a time; more of them wait. Each keeps a connection and its share of memory for as long as its body takes
 * to come, which is why whatever ends TLS in front should take a body in before it hands it on.
 */
const MAX_AT_ONCE = 2048

/**
 * Hands /api on to the API, bodies streamed both ways, as if the browser had asked it directly: its Host, so that the
 * API's origin check sees the address that the person sees, and where the request came from. What a client claims in
 * forwarding headers is dropped unless the peer is a trusted proxy.
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
  // They have no end of their own, which the end of this process would wait for; whoever reads one comes back by themselves.
  app.addHook('preClose', async () => {
    for (const end of endStreams) end()
  })
  app.addHook('onSend', async (request, reply, payload) => compressed(request, reply, payload))
  await app.register(httpProxy, {
    upstream: options.apiUrl,
    prefix: '/api',
    rewritePrefix: '/api',
    // A connection on which nothing moves for so long is given up; an upload that moves may take its time.
    http: { agentOptions: { keepAlive: true, maxSockets: MAX_AT_ONCE }, requestOptions: { timeout: 60_000 } },
    disableRequestLogging: true,
    // The default repeats a GET up to ten times on 503; whoever asked decides that. Only a connection that the API
    // closed just as we used it again is worth a second try.
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

/** What concerns one connection alone (RFC 9110, 7.6.1), and what a client claims of where it comes from: said anew, or not at all. */
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
 * How long the body is that goes along, as it came: none where none does. A client that could say otherwise, by a length of a GET,
 * whose body goes nowhere, or by a `Connection: content-length`, would have the API read what is left over, or the next person's
 * request, as another request.
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

/** Requests that could not be handed on, and who broke off. */
const failures = new WeakMap<object, 'api' | 'client'>()

/** Whether the API failed to answer this request. Such a failure is logged here. */
export function hasFailed({ raw }: FastifyRequest): boolean {
  return failures.get(raw) === 'api'
}

/** Called for each stream that breaks: that of the body as well as that of the request to the API. The first one is the cause. */
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

/** 503: not reached at all, so nothing happened. 504: no answer in time. 502: the connection broke in between. */
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
