import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const heads = new WeakSet<IncomingMessage>()

/**
 * Makes the router treat HEAD as GET, so that the same route, guard and checks apply. Node omits the body, because it knows that the request was
 * HEAD. Passed to Fastify as `rewriteUrl`, which runs before the router.
 */
export function routeHeadAsGet(request: IncomingMessage): string {
  if (request.method === 'HEAD') {
    heads.add(request)
    request.method = 'GET'
  }
  return request.url ?? '/'
}

/** True if the request was HEAD, so that the response has no body. */
export function isHead({ raw }: FastifyRequest): boolean {
  return heads.has(raw)
}

/** Returns the method that the client sent. */
export function methodOf(request: FastifyRequest): string {
  return isHead(request) ? 'HEAD' : request.method
}
