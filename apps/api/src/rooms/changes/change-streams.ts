import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  createEventStreams,
  type EventStream,
  type EventStreams,
  type StreamLimit,
  type StreamOwner,
} from '../../http/event-stream.ts'
import { actorOf } from '../../http/session-guard.ts'
import type { UserActor } from '../../lib/actor.ts'
import { slicesOf } from '../../lib/slices.ts'
import type { Store } from '../../store/store.ts'
import { getNewestSequence } from '../audit/audit.ts'
import { type JobKinds, visibleKindNames } from '../jobs/jobs.ts'
import { type ChangeRow, type JobHead, selectChanges, selectJobHeads, selectRunningJobs } from './changes.queries.ts'
import { type Batch, type Reader, visibleItems } from './changes.rules.ts'

const remedy = 'Close a browser or a page of the app. A program can read the lists again from time to time instead.'

/** Limit of a person. The web app opens one stream per browser and session, and one more while a window takes over from another. */
export const streamsOfPerson: StreamLimit = {
  name: 'change_streams',
  of: 'person',
  label: 'pages that show changes live',
  max: 6,
  remedy,
}
/** Limit of a tenant: a quarter of all streams, so that a few tenants cannot hold all of them. */
export const streamsOfTenant: StreamLimit = {
  name: 'change_streams_of_workspace',
  of: 'tenant',
  label: 'pages that show changes live',
  max: 250,
  remedy,
}
const MAX_STREAMS = 1_000
/** Interval of the checks for new commits. The changes of one interval are sent as one event. */
const LOOK_EVERY_MS = 250
/** Interval at which the session of each stream is validated. It is also validated before each event. */
const CHECK_SESSIONS_EVERY_MS = 1_000
/** Number of audit events per read. */
const EVENTS_PER_READ = 500
/** Maximum number of events that are sent to a reader that reconnects. A reader that missed more gets `reset` and must read everything again. */
const MAX_REPLAYED_EVENTS = 5_000
/** Maximum number of items in one event. */
const MAX_ITEMS = 500

type FindActor = (token: string, correlationId: string) => Promise<UserActor | undefined>
type Options = { store: Store; kinds: JobKinds; findActor: FindActor }
type OpenOptions = { after: number | undefined; isFollowed: boolean }

export type ChangeStreams = {
  /** sends the changes after the cursor and then all further changes until the session ends; sends nothing for a HEAD request */
  open(request: FastifyRequest, reply: FastifyReply, options: OpenOptions): Promise<void>
  /** ends all streams, so that the server can stop */
  endAll(): void
}

type Follower = {
  tenantId: string
  /** sequence of the last audit event that was processed for this stream, whether or not the reader may see it */
  cursor: number
  stream: EventStream
  log: FastifyRequest['log']
  /** returns the current permissions of the session's person; undefined if the session has ended or now belongs to another tenant */
  reader(): Promise<Reader | undefined>
}

const byStore = new WeakMap<Store, EventStreams>()

/** Returns the number of open streams of changes of this process that count for a limit of this owner. */
export function countStreams(store: Store, limit: StreamLimit, owner: StreamOwner): number {
  return byStore.get(store)?.usedOf(limit, owner) ?? 0
}

/**
 * Streams the changes of a tenant. They are read from its audit chain, which has a gapless sequence. All streams of a tenant share one read, so a
 * hundred streams cost little more than one. The progress of a running job has no audit event; for jobs the number of their last event is compared.
 */
export function createChangeStreams({ store, kinds, findActor }: Options): ChangeStreams {
  const streams = createEventStreams({ perPerson: streamsOfPerson, perTenant: streamsOfTenant, total: MAX_STREAMS })
  byStore.set(store, streams)
  const followers = new Set<Follower>()
  /** sequence of the last audit event that was read for the streams of a tenant, by tenant id */
  const positions = new Map<string, number>()
  /** number of the last event that was sent, by job id */
  let sentHeads = new Map<string, number>()
  let seenVersion = -1
  let checkedAt = 0
  let isLooking = false
  let timer: NodeJS.Timeout | undefined

  const { reader: db } = store

  async function readBatch(tenantId: string, after: number): Promise<Batch> {
    const rows = await selectChanges(db, { tenantId, after, limit: EVENTS_PER_READ })
    const ids = new Set(rows.flatMap(({ kind, id }) => (kind === 'job' ? [id] : [])))
    const heads = ids.size === 0 ? [] : await selectJobHeads(db, tenantId, [...ids])
    return { rows, jobs: new Map(heads.map((head) => [head.id, head])) }
  }

  /** Sends the visible part of a batch. Ends the stream if its session has ended. */
  async function deliver(follower: Follower, batch: Batch): Promise<void> {
    const { stream, cursor } = follower
    if (stream.hasEnded()) return
    const reader = await follower.reader()
    if (reader === undefined) return stream.end()
    const items = visibleItems(batch, cursor, reader)
    follower.cursor = Math.max(cursor, batch.rows.at(-1)?.sequence ?? 0)
    for (const part of slicesOf(items, MAX_ITEMS)) stream.send(frameOf('changes', follower.cursor, { items: part }))
  }

  /** Runs one step of a stream. A failure ends this stream only; its reader reconnects at its cursor. */
  async function guarded(follower: Follower, step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      follower.log.error({ err: error }, 'a stream of changes failed')
      follower.stream.end()
    }
  }

  function ofTenant(tenantId: string): Follower[] {
    return [...followers].filter((follower) => follower.tenantId === tenantId)
  }

  async function look(): Promise<void> {
    const version = store.version()
    if (version !== seenVersion) {
      seenVersion = version
      for (const tenantId of [...positions.keys()]) await readOn(tenantId)
      await compareJobs()
    }
    const now = performance.now()
    if (now - checkedAt < CHECK_SESSIONS_EVERY_MS) return
    checkedAt = now
    for (const follower of [...followers])
      await guarded(follower, async () => {
        if ((await follower.reader()) === undefined) follower.stream.end()
      })
  }

  async function readOn(tenantId: string): Promise<void> {
    for (let isMore = true; isMore; ) {
      const after = positions.get(tenantId)
      if (after === undefined) return
      const batch = await readBatch(tenantId, after)
      const last = batch.rows.at(-1)
      if (last === undefined) return
      positions.set(tenantId, last.sequence)
      for (const follower of ofTenant(tenantId)) await guarded(follower, () => deliver(follower, batch))
      isMore = batch.rows.length === EVENTS_PER_READ
    }
  }

  async function compareJobs(): Promise<void> {
    const heads = await selectRunningJobs(db)
    const moved = heads.filter(({ id, lastSequence }) => sentHeads.get(id) !== lastSequence)
    sentHeads = new Map(heads.map(({ id, lastSequence }) => [id, lastSequence]))
    for (const [tenantId, jobs] of Map.groupBy(moved, (head) => head.tenantId))
      for (const follower of ofTenant(tenantId)) await guarded(follower, () => deliver(follower, ofJobs(jobs)))
  }

  function start(): void {
    timer ??= setInterval(() => {
      if (isLooking) return
      isLooking = true
      look()
        .catch((error: unknown) => {
          // The store may be busy. The next check continues from the same positions.
          seenVersion = -1
          for (const { log } of followers) return log.error({ err: error }, 'the changes could not be read')
        })
        .finally(() => {
          isLooking = false
        })
    }, LOOK_EVERY_MS)
  }

  function leave(follower: Follower): void {
    followers.delete(follower)
    if (ofTenant(follower.tenantId).length === 0) positions.delete(follower.tenantId)
    if (followers.size > 0) return
    clearInterval(timer)
    timer = undefined
    seenVersion = -1
  }

  return {
    open: async (request, reply, { after, isFollowed }) => {
      const { tenantId, userId } = actorOf(request)
      const owner = { tenantId, userId }
      const token = request.sessionToken ?? ''
      streams.requireRoom(owner)
      const newest = await getNewestSequence(db, tenantId)
      const stream = streams.open(request, reply, owner, {
        heartbeat: () => frameOf('heartbeat', follower.cursor, {}),
        onEnd: () => leave(follower),
      })
      if (stream === undefined) return
      const reset = after === undefined ? undefined : resetFor(after, newest)
      const follower: Follower = {
        tenantId,
        cursor: after === undefined || reset !== undefined ? newest : after,
        stream,
        log: request.log,
        reader: async () => {
          const actor = await findActor(token, request.id)
          if (actor === undefined || actor.tenantId !== tenantId) return undefined
          return { permissions: actor.permissions, jobKinds: new Set(visibleKindNames(kinds, actor)) }
        },
      }
      stream.send(
        reset === undefined
          ? frameOf('start', follower.cursor, {})
          : frameOf('reset', follower.cursor, { reason: reset, newestSequence: newest }),
      )
      await guarded(follower, async () => {
        await replay(follower)
        await deliver(follower, ofJobs((await selectRunningJobs(db)).filter((head) => head.tenantId === tenantId)))
      })
      if (!isFollowed) stream.end()
    },
    endAll: streams.endAll,
  }

  /**
   * Sends the changes that the reader missed, then adds its stream to the others. No change is lost in between, because the stream is added
   * synchronously when its cursor has reached the position of the others.
   */
  async function replay(follower: Follower): Promise<void> {
    const { tenantId, stream } = follower
    while (!stream.hasEnded()) {
      const batch = await readBatch(tenantId, follower.cursor)
      await deliver(follower, batch)
      const position = positions.get(tenantId)
      if (batch.rows.length === EVENTS_PER_READ || (position !== undefined && follower.cursor < position)) continue
      if (stream.hasEnded()) return
      if (position === undefined) positions.set(tenantId, follower.cursor)
      followers.add(follower)
      start()
      return
    }
  }
}

/**
 * Returns why a reader cannot continue at its cursor; undefined if it can. A stream sends this as an event rather than as status 409, because a
 * browser cannot read the status of a stream and would send the same cursor again.
 */
function resetFor(after: number, newest: number): 'cursor_ahead' | 'cursor_too_old' | undefined {
  if (after > newest) return 'cursor_ahead'
  return newest - after > MAX_REPLAYED_EVENTS ? 'cursor_too_old' : undefined
}

function ofJobs(heads: readonly JobHead[]): Batch {
  const rows: readonly ChangeRow[] = []
  return { rows, jobs: new Map(heads.map((head) => [head.id, head])) }
}

function frameOf(event: string, cursor: number, data: object): string {
  return `id: ${cursor}\nevent: ${event}\ndata: ${JSON.stringify(data)}`
}
