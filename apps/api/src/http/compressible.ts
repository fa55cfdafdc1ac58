import type { FastifyInstance, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the response contains a secret, such as a CSRF token: it is never compressed, because its length could reveal the secret */
    secret?: true
  }
}

/** Marks responses that the web server may compress, for the web server only, which removes it. */
const COMPRESSIBLE_HEADER = 'x-compressible'

/**
 * True for reads of JSON behind a session: no change, no file, no stream and no secret. The OpenAPI document marks the operation with `x-compressible`,
 * and its responses carry the header.
 */
export function isCompressible({
  method,
  schema,
  config,
}: Pick<RouteOptions, 'method' | 'schema' | 'config'>): boolean {
  if (method !== 'GET' || schema?.operationId === undefined || schema.produces !== undefined) return false
  return config?.open !== true && config?.secret !== true
}

/** Call before routes are declared. */
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
