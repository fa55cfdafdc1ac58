import type { FastifyInstance, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** true if the response contains a secret, such as a CSRF token. It is then never compressed, because its length could reveal the secret. */
    secret?: true
  }
}

/** Header that marks responses which may be compressed. The web server reads and removes it. */
const COMPRESSIBLE_HEADER = 'x-compressible'

/**
 * Returns true for reads of JSON behind a session, but not for changes, files, streams and responses with a secret. The OpenAPI document marks such
 * an operation with `x-compressible`, and its responses carry the header.
 */
export function isCompressible({
  method,
  schema,
  config,
}: Pick<RouteOptions, 'method' | 'schema' | 'config'>): boolean {
  if (method !== 'GET' || schema?.operationId === undefined || schema.produces !== undefined) return false
  return config?.open !== true && config?.secret !== true
}

/** Adds the header to compressible responses. Call this before the routes are declared. */
export function registerCompressible(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!isCompressible(route)) return
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (_request, reply, _payload, done) => {
        if (reply.statusCode === 200) reply.header(COMPRESSIBLE_HEADER, 'true')
        done()
      },
    ]
  })
}
