import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  createEventStreams,
  type EventStreams,
  type StreamLimit,
  type StreamOwner,
} from '../../../http/event-stream.ts'
import { actorOf } from '../../../http/session-guard.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Store } from '../../../store/store.ts'
import type { JobEvent } from '../jobs.schema.ts'
import { type Jobs, listEvents } from '../queue/read-jobs.ts'

const remedy = 'Close a page that shows a job. A program can read the events of the job from time to time instead.'

/** Limit of a person: a fifth of the streams of the tenant, so that one person cannot hold all of them. */
export const jobStreamsOfPerson: StreamLimit = {
  name: 'job_streams',
  of: 'person',
  label: 'pages that show a job live',
  max: 10,
  remedy,
}
export const jobStreamsOfTenant: StreamLimit = {
  name: 'job_streams_of_workspace',
  of: 'tenant',
  label: 'pages that show a job live',
  max: 50,
  remedy,
}
const MAX_STREAMS = 500
/** Interval of the search for events of other processes, which emit no signal in this process. */
const LOOK_EVERY_MS = 1_000
/** Maximum number of events per read. */
const EVENTS_PER_READ = 200

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

const byStore = new WeakMap<Store, EventStreams>()

/** Returns the number of open streams of job events of this process that count for a limit of this owner. */
export function countJobStreams(store: Store, limit: StreamLimit, owner: StreamOwner): number {
  return byStore.get(store)?.usedOf(limit, owner) ?? 0
}

/**
 * Creates streams that send the events of a job as they are written (Server-Sent Events). A reader who reconnects continues after its last event
 * (specification, Events §1). The reader's session is checked again before every read, so an ended session, a change of tenant or a lost permission
 * ends the stream.
 */
export function createJobStreams(jobs: Omit<Jobs, 'cursors'>, findActor: FindActor): Streams {
  const streams = createEventStreams({
    perPerson: jobStreamsOfPerson,
    perTenant: jobStreamsOfTenant,
    total: MAX_STREAMS,
  })
  byStore.set(jobs.store, streams)
  const { signals } = jobs.store

  return {
    open: async (request, reply, jobId, after) => {
      const { tenantId, userId } = actorOf(request)
      const owner = { tenantId, userId }
      const token = request.sessionToken ?? ''
      // Checks the request before the stream begins, because later errors can no longer be returned as a response.
      await listEvents(jobs, actorOf(request), jobId, { after, limit: 1 })
      streams.requireRoom(owner)

      let cursor = after
      let isReading = false
      let isStale = true
      const onEvent = (changed: string) => {
        if (changed === jobId) void read()
      }
      const stream = streams.open(request, reply, owner, {
        onEnd: () => {
          clearInterval(looks)
          signals.off('jobEvent', onEvent)
        },
      })
      if (stream === undefined) return
      const looks = setInterval(() => void read(), LOOK_EVERY_MS)
      signals.on('jobEvent', onEvent)
      await read()

      async function read(): Promise<void> {
        isStale = true
        if (isReading || stream === undefined) return
        isReading = true
        try {
          while (isStale && !stream.hasEnded()) {
            isStale = false
            const actor = await findActor(token, request.id)
            if (actor === undefined || actor.tenantId !== tenantId || !actor.permissions.has('jobs.read'))
              return stream.end()
            const { items, nextAfter, isOver, forgotten } = await listEvents(jobs, actor, jobId, {
              after: cursor,
              limit: EVENTS_PER_READ,
            })
            if (forgotten !== null) stream.send(`event: forgotten\ndata: ${JSON.stringify(forgotten)}`)
            for (const event of items) stream.send(frameOf(event))
            cursor = nextAfter
            if (isOver) return stream.end()
            if (items.length === EVENTS_PER_READ) isStale = true
          }
        } catch (error) {
          if (!(error instanceof AppError)) request.log.error({ err: error }, 'an event stream failed')
          stream.end()
        } finally {
          isReading = false
        }
      }
    },
    endAll: streams.endAll,
  }
}

/** Formats one event of the stream. The browser sends the event's id when it reconnects. */
function frameOf(event: JobEvent): string {
  return `id: ${event.sequence}\nevent: job\ndata: ${JSON.stringify(event)}`
}
