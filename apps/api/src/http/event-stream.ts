import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { type LimitWords, limitReached } from '../lib/limit-reached.ts'
import { isHead } from './head.ts'

/** Interval of heartbeats. They keep proxies from closing the connection, and a reader notices a dead connection when they are missing. */
const HEARTBEAT_EVERY_MS = 15_000
/** Delay after which the browser reconnects. */
const COME_BACK_AFTER_MS = 2_000
/** Limit of the unsent bytes of a slow reader. Above this limit the stream is closed, and the reader reconnects at its cursor. */
const MAX_UNREAD_BYTES = 256 * 1024
/** Retry-After of a refused stream. Streams end when a page is closed, so no exact time is known. */
const TRY_AGAIN_AFTER_SECONDS = 30

/** An open response of Server-Sent Events. */
export type EventStream = {
  /** writes one frame, without its blank line; ends the stream of a reader that is too slow */
  send(frame: string): void
  end(): void
  hasEnded(): boolean
}

export type StreamOwner = { tenantId: string; userId: string }
/** A limit of open streams, of one person in a tenant or of a tenant. */
export type StreamLimit = LimitWords & { max: number }
type StreamLimits = { perPerson: StreamLimit; perTenant: StreamLimit; total: number }
type OpenStream = {
  /** returns the frame that is sent at each heartbeat; a comment by default */
  heartbeat?: () => string
  /** called once, when the reader leaves, the session ends or the server stops */
  onEnd: () => void
}

export type EventStreams = {
  /** Rejects a further stream of this owner if a limit is reached. Errors: `too_many_streams`. */
  requireRoom(owner: StreamOwner): void
  /** returns the number of open streams that count for a limit of this owner */
  usedOf(limit: StreamLimit, owner: StreamOwner): number
  /** takes over the response; returns undefined for a HEAD request, which is answered without a body */
  open(request: FastifyRequest, reply: FastifyReply, owner: StreamOwner, stream: OpenStream): EventStream | undefined
  /** ends all streams, so that the server can stop */
  endAll(): void
}

/** Creates the event streams of one route. Their number is limited, because each stream is a permanent connection. */
export function createEventStreams({ perPerson, perTenant, total }: StreamLimits): EventStreams {
  const open = new Map<EventStream, StreamOwner>()
  const code = 'too_many_streams'
  const retryAfterSeconds = TRY_AGAIN_AFTER_SECONDS
  const usedOf = ({ of }: StreamLimit, { tenantId, userId }: StreamOwner) =>
    [...open.values()].filter((one) => one.tenantId === tenantId && (of === 'tenant' || one.userId === userId)).length

  return {
    usedOf,
    requireRoom: (owner) => {
      for (const limit of [perPerson, perTenant]) {
        const { max } = limit
        const used = usedOf(limit, owner)
        if (used >= max) throw limitReached(limit, { code, used, max, retryAfterSeconds })
      }
      // Names no number, because it would show one tenant how many streams the others have.
      if (open.size >= total)
        throw new AppError(code, 'Too many pages with live updates are open. Close some pages, or try again later.', {
          retryAfterSeconds,
        })
    },
    open: (request, reply, owner, { heartbeat = () => ': still here', onEnd }) => {
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...headersOf(reply),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      if (isHead(request)) {
        raw.end()
        return undefined
      }
      raw.write(`retry: ${COME_BACK_AFTER_MS}\n\n`)
      let hasEnded = false
      const stream: EventStream = {
        send: (frame) => {
          if (hasEnded) return
          raw.write(`${frame}\n\n`)
          if (raw.writableLength > MAX_UNREAD_BYTES) stream.end()
        },
        end: () => {
          if (hasEnded) return
          hasEnded = true
          clearInterval(heartbeats)
          open.delete(stream)
          raw.end()
          onEnd()
        },
        hasEnded: () => hasEnded,
      }
      const heartbeats = setInterval(() => stream.send(heartbeat()), HEARTBEAT_EVERY_MS)
      open.set(stream, owner)
      raw.on('close', stream.end)
      return stream
    },
    endAll: () => {
      for (const stream of [...open.keys()]) stream.end()
    },
  }
}

/** Returns the headers that the hooks have set. They must be written here, because the framework does not write them for a raw response. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
