import { type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { type LimitWords, limitReached } from '../lib/limit-reached.ts'

/** Bytes of request bodies that a tenant may send a minute in the long run: 1 MB/s. A day of work of a busy tenant is some tens of megabytes. */
export const WRITTEN_BYTES_PER_MINUTE = 60_000_000
/** Bytes that a tenant may send at once after a quiet time: some large files. A larger limit of CSV files raises it to two such files. */
export const WRITTEN_BYTES_AT_ONCE = 240_000_000
/** Maximum number of tenants whose bytes are counted. Beyond it, the tenant that sent least recently is dropped. */
const MAX_TENANTS = 10_000

export const writtenBytesLimit: LimitWords = {
  name: 'written_bytes',
  of: 'tenant',
  label: 'bytes sent in the last minutes',
  remedy: `Each minute frees ${WRITTEN_BYTES_PER_MINUTE / 1_000_000} MB. Wait, then send the request again.`,
}

/** A bucket of bytes for each tenant. It fills with time, and request bodies empty it. In memory, for this process. */
export type WrittenBytes = {
  atOnce: number
  /**
   * Takes bytes from the bucket of a tenant. Returns 0 if they were taken. Otherwise nothing is taken, and the result is the number of milliseconds
   * until they can be. More bytes than a full bucket holds can be taken from a full one, and empty it: no route reads a body of this size, and a length
   * that is only declared must not keep the bucket empty for longer.
   */
  take(tenantId: string, bytes: number): number
  /** puts back bytes of a body that were taken and never arrived */
  giveBack(tenantId: string, bytes: number): void
  /** returns the bytes that are missing in the bucket of a tenant */
  usedOf(tenantId: string): number
}

type Rate = { perMinute: number; atOnce: number; maxTenants?: number }

export function createWrittenBytes(clock: Clock, { perMinute, atOnce, maxTenants = MAX_TENANTS }: Rate): WrittenBytes {
  const perMs = perMinute / 60_000
  /** missing bytes by tenant, in the order of their last change */
  const buckets = new Map<string, { missing: number; at: number }>()

  function missingOf(tenantId: string, now: number): number {
    const bucket = buckets.get(tenantId)
    // A clock that was set back fills no bucket.
    return bucket === undefined ? 0 : Math.max(0, bucket.missing - Math.max(0, now - bucket.at) * perMs)
  }

  function put(tenantId: string, missing: number, at: number): void {
    buckets.delete(tenantId)
    for (const [known, bucket] of buckets) {
      if (buckets.size < maxTenants && bucket.missing > Math.max(0, at - bucket.at) * perMs) break
      buckets.delete(known)
    }
    if (missing > 0) buckets.set(tenantId, { missing, at })
  }

  return {
    atOnce,
    take(tenantId, bytes) {
      const now = clock().getTime()
      const missing = missingOf(tenantId, now) + Math.min(bytes, atOnce)
      if (missing > atOnce) return Math.ceil((missing - atOnce) / perMs)
      put(tenantId, missing, now)
      return 0
    },
    giveBack(tenantId, bytes) {
      const now = clock().getTime()
      put(tenantId, Math.max(0, missingOf(tenantId, now) - bytes), now)
    },
    usedOf: (tenantId) => Math.ceil(missingOf(tenantId, clock().getTime())),
  }
}

/**
 * Counts the bodies of all requests that are not reads, before they are parsed, and refuses them when the bucket of their tenant is empty. A declared
 * length is taken at once, and what never arrives is put back when the request ends; a body without a length is counted as its bytes arrive. Open
 * routes have no tenant and have their own limits. Must be registered after the session guard. Errors: `too_many_bytes`, with Retry-After.
 */
export function registerWrittenBytes(app: FastifyInstance, written: WrittenBytes): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { actor, method, headers, raw } = request
    if (actor === null || method === 'GET') return done()
    const { tenantId } = actor
    const take = (bytes: number) => {
      const waitMs = written.take(tenantId, bytes)
      return waitMs === 0 ? undefined : tooManyBytes(written, tenantId, waitMs)
    }
    const declared = headers['content-length']
    if (declared === undefined)
      return headers['transfer-encoding'] === undefined ? done() : done(null, metered(payload, reply, take))
    const bytes = Number(declared)
    if (!(bytes > 0)) return done()
    const refusal = take(bytes)
    if (refusal !== undefined) return done(refusal)
    const { socket } = raw
    // The part of the body that arrived while the session was checked waits in the buffer of the request.
    const bytesBeforeBody = socket.bytesRead - raw.readableLength
    const settle = () => {
      raw.off('close', settle)
      socket.off('close', settle)
      const left = Math.min(bytes, written.atOnce) - (socket.bytesRead - bytesBeforeBody)
      if (!raw.complete && left > 0) written.giveBack(tenantId, left)
    }
    raw.once('close', settle)
    // A request whose response was sent before its body arrived emits no event when its connection closes.
    socket.once('close', settle)
    done()
  })
}

function tooManyBytes(written: WrittenBytes, tenantId: string, waitMs: number): AppError {
  return limitReached(writtenBytesLimit, {
    code: 'too_many_bytes',
    used: written.usedOf(tenantId),
    max: written.atOnce,
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}

/** Returns the body as a stream that ends with the refusal as soon as its bytes are too many. */
function metered(
  body: Readable,
  reply: FastifyReply,
  take: (bytes: number) => AppError | undefined,
): Readable & { receivedEncodedLength?: number } {
  const meter: Transform & { receivedEncodedLength?: number } = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const refusal = take(chunk.length)
      if (refusal === undefined) {
        meter.receivedEncodedLength = (meter.receivedEncodedLength ?? 0) + chunk.length
        return done(null, chunk)
      }
      // The rest of the body is not read, so the connection cannot serve another request.
      reply.header('connection', 'close')
      done(refusal)
    },
  })
  // A refused request has no reader, and an error without a listener would end the process.
  meter.on('error', () => undefined)
  body.once('error', (error) => meter.destroy(error))
  body.once('close', () => {
    if (!body.readableEnded) meter.destroy(Object.assign(new Error('The body ended early.'), { code: 'ECONNRESET' }))
  })
  // The rest of a refused body is discarded until the connection closes; the client may read the response only then.
  reply.raw.once('finish', () => body.unpipe(meter).resume())
  return body.pipe(meter)
}
