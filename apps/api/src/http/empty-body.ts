import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * A request that announces no body is read to its end before anybody looks (`optimizeEmptyRequests` in app.ts): most are of that kind, and
 * a stream of nothing costs each some 3 % of a detail. Such a stream says neither `data` nor `end` any more, so whoever names a
 * content type and sends nothing would wait for ever: what reads bodies gets another that does end.
 */
export function registerEmptyBody(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isReadInVain = request.headers['content-type'] !== undefined && request.raw.readableEnded
    done(null, isReadInVain ? Readable.from([]) : payload)
  })
}
