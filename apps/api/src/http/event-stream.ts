import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { isHead } from './head.ts'

/** Interval of heartbeats. They keep proxies from closing the connection, and a reader notices a dead connection when they are missing. */
const HEARTBEAT_EVERY_MS = 15_000
/** Delay after which the browser reconnects. */
const COME_BACK_AFTER_MS = 2_000
/** Limit of the unsent bytes of a slow reader. Above this limit the stream is closed, and the reader reconnects at its cursor. */
const MAX_UNREAD_BYTES = 256 * 1024

/** An open response of Server-Sent Events. */
export type EventStream = {
  /** writes one frame, without its blank line; ends the stream of a reader that is too slow */
  send(frame: string): void
  end(): void
  hasEnded(): boolean
}

type StreamOwner = { tenantId: string; sessionId: string }
type StreamLimits = { perSession: number; perTenant: number; total: number }
type OpenStream = {
  /** returns the frame that is sent at each heartbeat; a comment by default */
  heartbeat?: () => string
  /** called once, when the reader leaves, the session ends or the server stops */
  onEnd: () => void
}

export type EventStreams = {
  /** Rejects a further stream of this owner if a limit is reached. Errors: `too_many_streams`. */
  requireRoom(owner: StreamOwner): void
  /** takes over the response; returns undefined for a HEAD request, which is answered without a body */
  open(request: FastifyRequest, reply: FastifyReply, owner: StreamOwner, stream: OpenStream): EventStream | undefined
  /** ends all streams, so that the server can stop */
  endAll(): void
}

/** Creates the event streams of one route. Their number is limited, because each stream is a permanent connection. */
export function createEventStreams({ perSession, perTenant, total }: StreamLimits): EventStreams {
  const open = new Map<EventStream, StreamOwner>()
  const count = (is: (owner: StreamOwner) => boolean) => [...open.values()].filter(is).length

  return {
    requireRoom: ({ tenantId, sessionId }) => {
      const isFull =
        open.size >= total ||
        count((owner) => owner.tenantId === tenantId) >= perTenant ||
        count((owner) => owner.sessionId === sessionId) >= perSession
      if (isFull) throw new AppError('too_many_streams', 'Too many live views are open. Close one, or poll instead.')
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
