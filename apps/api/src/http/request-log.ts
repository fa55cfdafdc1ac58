import type { FastifyInstance } from 'fastify'
import { methodOf } from './head.ts'

/** In production there is TLS in front, for this host and those below it. */
const TWO_YEARS_OF_TLS = 'max-age=63072000; includeSubDomains'

/** An answer of the API is data and never a page: nothing in it is loaded, run or framed. The reference page has a policy of its own. */
const NO_PAGE = "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * One line a request: the route's pattern instead of the address that was asked, because a search or an identifier in it may
 * name a person. Headers and bodies are never logged. Every answer carries the request's id and says that it is not to be kept,
 * framed or taken for another kind of content.
 */
export function registerRequestLog(app: FastifyInstance, { isProduction }: { isProduction: boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
    reply.header('content-security-policy', NO_PAGE)
    reply.header('referrer-policy', 'no-referrer')
    reply.header('x-frame-options', 'DENY')
    if (isProduction) reply.header('strict-transport-security', TWO_YEARS_OF_TLS)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: methodOf(request),
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        tenant: request.actor?.tenantId,
        user: request.actor?.userId,
      },
      'answered',
    )
    done()
  })
}
