import type { FastifyInstance } from 'fastify'

/**
 * One line a request: the route's pattern instead of the address that was asked, because a search or an identifier in it may
 * name a person. Headers and bodies are never logged.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        tenant: request.actor?.tenantId,
        user: request.actor?.userId,
      },
      'answered',
    )
  })
}
