import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerHeaders } from './answer-headers.ts'
import { methodOf } from './head.ts'
import { traceOfRequest } from './trace-context.ts'

/** Registers hooks that log one line per request, including requests that the client aborts, and set the common headers of each response. */
export function registerRequestLog(app: FastifyInstance, headersOf: AnswerHeaders): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request.id))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    if (!request.raw.complete) logBrokenOff(request)
    done()
  })
}

/** Logs a request that the client aborted. Node reports an abort only if there was no response, so each request is logged once. */
function logBrokenOff(request: FastifyRequest): void {
  const { actor, routeOptions } = request
  request.log.info(
    {
      traceId: traceOfRequest(request.id),
      method: request.method,
      route: routeOptions.url ?? 'none',
      tenant: actor?.tenantId,
      user: actor?.userId,
      token: actor?.tokenId,
    },
    'the client aborted while sending the body',
  )
}

/**
 * Logs the pattern of the route and not the requested URL, because a search text or an identifier in the URL can identify a person. Headers and
 * bodies are never logged.
 */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      traceId: traceOfRequest(request.id),
      method: methodOf(request),
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      tenant: request.actor?.tenantId,
      user: request.actor?.userId,
      token: request.actor?.tokenId,
    },
    'answered',
  )
}
