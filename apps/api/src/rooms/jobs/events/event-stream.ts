import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHead } from '../../../http/head.ts'
import { actorOf } from '../../../http/session-guard.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { JobEvent } from '../jobs.schema.ts'
import { type Jobs, listEvents } from '../queue/read-jobs.ts'

/** Maximum number of open streams per tenant and in total. Each stream occupies a connection. */
const MAX_STREAMS_PER_TENANT = 50
const MAX_STREAMS = 500
/** Poll interval for events of other processes, which emit no signal in this process. */
const LOOK_EVERY_MS = 1_000
/** Interval of the comments that keep a stream open. Proxies close connections that send nothing. */
const HEARTBEAT_EVERY_MS = 15_000
/** Time after which the browser reconnects. */
const COME_BACK_AFTER_MS = 2_000
/** Maximum number of events per read. */
const EVENTS_PER_READ = 200
/** Maximum number of buffered bytes of a slow reader. Above it the stream is closed, and the reader reconnects at its last event. */
const MAX_UNREAD_BYTES = 256 * 1024

export type FindActor = (token: string, correlationId: string) => Promise<UserActor | undefined>
type Streams = {
  /**
   * Sends the events after the sequence `after` as they are written, until the job's last event or the end of the session. A HEAD request gets no
   * event.
   */
  open(request: FastifyRequest, reply: FastifyReply, jobId: string, after: number): Promise<void>
  /** ends all streams, so that the server can stop */
  endAll(): void
}

/**
 * Creates streams that send the events of a job as they are written (Server-Sent Events). A reader who reconnects continues after its last event
 * (specification, Events §1). The reader's session is checked again before every read, so an ended session, a change of tenant or a lost permission
 * ends the stream.
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
      // Checks the request before the stream begins, because later errors can no longer be returned as a response.
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

/** Formats one event of the stream. The browser sends the event's id when it reconnects. */
function frameOf(event: JobEvent): string {
  return `id: ${event.sequence}\nevent: job\ndata: ${JSON.stringify(event)}\n\n`
}

/** Returns the headers that hooks have set. The stream must write them itself, because the framework no longer does. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
