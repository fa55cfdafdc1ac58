import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHead } from '../../../http/head.ts'
import { actorOf } from '../../../http/session-guard.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { JobEvent } from '../jobs.schema.ts'
import { type Jobs, listEvents } from '../queue/read-jobs.ts'

/** Limits of open streams per tenant and in total. Each stream is a permanent connection. */
const MAX_STREAMS_PER_TENANT = 50
const MAX_STREAMS = 500
/** Poll interval for events of other processes, which emit no signal in this process. */
const LOOK_EVERY_MS = 1_000
/** Interval of keep-alive comments, so that proxies do not close the connection. */
const HEARTBEAT_EVERY_MS = 15_000
/** Reconnect delay of the browser. */
const COME_BACK_AFTER_MS = 2_000
/** Events per read. */
const EVENTS_PER_READ = 200
/** Buffer limit of a slow reader. Above it the stream is closed, and the reader reconnects at its cursor. */
const MAX_UNREAD_BYTES = 256 * 1024

export type FindActor = (token: string, correlationId: string) => Promise<UserActor | undefined>
type Streams = {
  /** sends the events after the cursor `after` as they are written, until the job's last event or the end of the session; a HEAD request gets none */
  open(request: FastifyRequest, reply: FastifyReply, jobId: string, after: number): Promise<void>
  /** ends all streams, so that the server can stop */
  endAll(): void
}

/**
 * Sends events as they are written, by Server-Sent Events, from a durable cursor: a reconnecting reader continues where the stream broke
 * (specification, Events §1). The reader is authenticated again before every read, so an ended session, another tenant or a lost permission ends the
 * stream.
 */
export function createEventStreams(jobs: Omit<Jobs, 'cursors'>, findActor: FindActor): Streams {
  const open = new Map<ServerResponse, { tenantId: string; end: () => void }>()
  const { signals } = jobs.store

  function requireRoom(tenantId: string): void {
    const ofTenant = [...open.values()].filter((stream) => stream.tenantId === tenantId).length
    if (ofTenant < MAX_STREAMS_PER_TENANT && open.size < MAX_STREAMS) return
    throw new AppError('too_many_streams', 'Too many live views are open. Close one, or poll instead.')
  }

  return {
    open: async (request, reply, jobId, after) => {
      const { tenantId } = actorOf(request)
      const token = request.sessionToken ?? ''
      // Errors are returned as problems before the stream begins.
      await listEvents(jobs, actorOf(request), jobId, { after, limit: 1 })
      requireRoom(tenantId)
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        ...headersOf(reply),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      })
      if (isHead(request)) {
        raw.end()
        return
      }
      raw.write(`retry: ${COME_BACK_AFTER_MS}\n\n`)

      let cursor = after
      let isReading = false
      let isStale = true
      let hasEnded = false
      const end = () => {
        if (hasEnded) return
        hasEnded = true
        clearInterval(looks)
        clearInterval(heartbeats)
        signals.off('jobEvent', onEvent)
        open.delete(raw)
        raw.end()
      }
      const send = (events: readonly JobEvent[]) => {
        for (const event of events) raw.write(frameOf(event))
      }
      const read = async () => {
        isStale = true
        if (isReading) return
        isReading = true
        try {
          while (isStale && !hasEnded) {
            isStale = false
            const actor = await findActor(token, request.id)
            if (actor === undefined || actor.tenantId !== tenantId || !actor.permissions.has('jobs.read')) return end()
            const { items, nextAfter, isOver, forgotten } = await listEvents(jobs, actor, jobId, {
              after: cursor,
              limit: EVENTS_PER_READ,
            })
            if (forgotten !== null) raw.write(`event: forgotten\ndata: ${JSON.stringify(forgotten)}\n\n`)
            send(items)
            cursor = nextAfter
            if (isOver || raw.writableLength > MAX_UNREAD_BYTES) return end()
            if (items.length === EVENTS_PER_READ) isStale = true
          }
        } catch (error) {
          if (!(error instanceof AppError)) request.log.error({ err: error }, 'an event stream failed')
          end()
        } finally {
          isReading = false
        }
      }
      const onEvent = (changed: string) => {
        if (changed === jobId) void read()
      }
      const looks = setInterval(() => void read(), LOOK_EVERY_MS)
      const heartbeats = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_EVERY_MS)
      open.set(raw, { tenantId, end })
      signals.on('jobEvent', onEvent)
      raw.on('close', end)
      await read()
    },
    endAll: () => {
      for (const { end } of [...open.values()]) end()
    },
  }
}

/** Formats one event of the stream. A browser reconnects after the event's id by itself. */
function frameOf(event: JobEvent): string {
  return `id: ${event.sequence}\nevent: job\ndata: ${JSON.stringify(event)}\n\n`
}

/** Returns headers that the hooks have set, because the framework no longer writes them. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
