import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Minimum size for compression. Shorter responses fit into the packet of their headers. */
const MIN_BYTES = 1_024
/** Compression levels of brotli and gzip. At these levels a list of 30 kB takes about a millisecond; higher levels save only a few percent. */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 5

/** Header that the API sets on 200 responses of the operations that its OpenAPI document marks (`http/compressible.ts` of the API). */
const MARK = 'x-compressible'

/**
 * Compresses a response that the API marked. The API does not mark responses of a POST, files, streams, and responses with a secret, because their
 * length could then reveal the secret. The mark is removed. The ETag remains that of the record, not of the bytes, because nothing is cached here.
 */
export function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const isMarked = reply.hasHeader(MARK)
  reply.removeHeader(MARK)
  if (!isMarked || request.method !== 'GET' || reply.statusCode !== 200 || !(payload instanceof Readable))
    return payload
  if (reply.hasHeader('content-encoding') || Number(reply.getHeader('content-length')) <= MIN_BYTES) return payload
  reply.header('vary', 'accept-encoding')
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  if (encoding === null) return payload
  reply.removeHeader('content-length')
  reply.header('content-encoding', encoding)
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
      : createGzip({ level: GZIP_LEVEL })
  // If the connection to the API breaks, the response breaks too. The browser then reports a failure instead of an incomplete list.
  return pipeline(payload, compressor, () => {})
}

/** Returns the best encoding that the header accepts. `br;q=0` refuses brotli (RFC 9110, 12.5.3). */
function acceptedEncoding(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const accepted = new Set(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]?.trim()),
  )
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null
}
