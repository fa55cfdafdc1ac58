import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Shorter answers fit into the packet that their headers travel in. */
const MIN_BYTES = 1_024
/** Quality of brotli and gzip: a list of 30 kB takes about a millisecond, and higher ones save a few percent. */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 5

/** The API sets it on 200 answers of the operations that its OpenAPI document marks (`http/compressible.ts` of the API). */
const MARK = 'x-compressible'

/**
 * Compresses an answer that the API marked: never that of a POST, a file, a stream, or one with a secret, whose length could then reveal the secret. The
 * mark stays inside. The ETag is that of the record, not of the bytes: nothing here is cached.
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
  // A broken connection to the API breaks the answer too: the browser sees a failure, not a short list.
  return pipeline(payload, compressor, () => {})
}

/** `br;q=0` refuses it (RFC 9110, 12.5.3). */
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
