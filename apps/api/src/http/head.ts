import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const heads = new WeakSet<IncomingMessage>()

/**
 * Lets the routes of GET answer HEAD with the same guard and checks. Node omits the body, because it knows that the request was HEAD. Given
 * to Fastify as `rewriteUrl`, which runs before the router.
 */
export function routeHeadAsGet(request: IncomingMessage): string {
  if (request.method === 'HEAD') {
    heads.add(request)
    request.method = 'GET'
  }
  return request.url ?? '/'
}

/** Whether whoever asks gets the headers of the answer alone. */
export function isHead({ raw }: FastifyRequest): boolean {
  return heads.has(raw)
}

/** As it was sent. */
export function methodOf(request: FastifyRequest): string {
  return isHead(request) ? 'HEAD' : request.method
}
