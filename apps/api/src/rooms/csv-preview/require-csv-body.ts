import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RoomApp } from '../../http/room.ts'
import { AppError } from '../../lib/app-error.ts'
import { type SizeLimit, tooLarge } from '../../lib/limit-reached.ts'

/** Time for which the rest of a refused upload is read and discarded before its connection is closed. */
const REST_MS = 3_000

/** Passes on bodies of `text/csv` as streams. They are written to a file and never buffered completely. */
export function acceptCsvBodies(app: RoomApp): void {
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload))
}

/** Requires, before the body is read, that it is CSV and not too large by its header. Errors: `unsupported_media_type`, `too_large`. */
export function requireCsvBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, maxBytes }: { limit: SizeLimit; maxBytes: number },
): void {
  letGoOfRest(request, reply)
  if (!/^text\/csv(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new AppError('unsupported_media_type', 'Send the file itself as text/csv.')
  }
  const size = Number(request.headers['content-length'] ?? 0)
  if (size > maxBytes) throw tooLarge(limit, { size, max: maxBytes })
}

/**
 * Discards the rest of a refused upload for a short time and then closes the connection. The client is still sending: closing the connection at once
 * would lose the response, and reading to the end could take arbitrarily long.
 */
function letGoOfRest({ raw: request }: FastifyRequest, { raw: answer }: FastifyReply): void {
  answer.once('finish', () => {
    if (request.complete) return
    const end = setTimeout(() => request.destroy(), REST_MS).unref()
    request.once('close', () => clearTimeout(end))
    request.resume()
  })
}

/** Returns the stream that the `text/csv` parser passed on. A request without a body counts as an empty file. */
export function csvBodyOf(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from([])
}
