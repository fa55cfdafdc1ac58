import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

const heads = new WeakSet<IncomingMessage>()

/**
 * Lets the routes of GET answer HEAD, with their guard and their checks; Node leaves the body out, because it knows that the request came
 * as HEAD. Routes of their own would be twice as many to keep in memory. Given to Fastify as `rewriteUrl`, which runs before a route is
 * looked for.
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
