import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { UserActor } from '../../lib/actor.ts'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { change, unchanged } from '../../store/change/change.ts'
import { sessionWatcher } from '../identity/identity.ts'
import { createJobStreams } from './events/event-stream.ts'
import { getJobRow } from './jobs.queries.ts'
import {
  cancelledSchema,
  createJobSchema,
  eventCursor,
  jobEventPageSchema,
  jobKindsSchema,
  jobPageSchema,
  jobParams,
  jobSchema,
  listEventsQuery,
  listJobsQuery,
  nothingSchema,
  streamQuery,
} from './jobs.schema.ts'
import type { JobKind, JobKinds } from './kinds/job-kind.ts'
import { cancelJob } from './queue/cancel-job.ts'
import { type CreatedJob, createJob } from './queue/create-job.ts'
import { getJob, listEvents, listJobs, visibleKindNames, visibleKinds } from './queue/read-jobs.ts'
import { retryJob } from './queue/retry-job.ts'

type JobRoomOptions = RoomOptions & { kinds: JobKinds; config: Pick<Config, 'environment'> }

export const jobRoutes: RoomRoutes<JobRoomOptions> = async (app, { store, cursors, kinds, config }) => {
  const route = createRoutes(app, { store, tag: 'jobs' })
  const jobs = { store, kinds, cursors }
  const streams = createJobStreams(jobs, sessionWatcher(store, config))
  app.addHook('preClose', async () => streams.endAll())

  route.read({
    url: '/job-kinds',
    id: 'listJobKinds',
    summary: 'List the job kinds that you may use',
    permission: 'jobs.read',
    response: jobKindsSchema,
    answer: ({ actor }) => {
      const mayCreate = actor.permissions.has('jobs.create')
      const visible = visibleKinds(kinds, actor)
      return { items: visible.map((kind) => toKind(kind, mayCreate)), hidden: kinds.size - visible.length }
    },
  })

  route.read({
    url: '/jobs',
    id: 'listJobs',
    summary: 'List jobs of the kinds that you may use, newest first',
    permission: 'jobs.read',
    query: listJobsQuery,
    response: jobPageSchema,
    answer: ({ actor, query }) => listJobs(jobs, actor, query),
  })

  route.change({
    url: '/jobs',
    id: 'createJob',
    summary: 'Queue a job; the same key and request return the existing job',
    permission: 'jobs.create',
    action: 'job.create',
    body: createJobSchema,
    response: jobSchema,
    status: 202,
    requiresKeySoThat: 'the same job is not queued twice',
    // The idempotency key is stored with the job. A repeated request returns that job in its current state.
    run: async ({ permission, action, idempotency }, { actor, body }) => {
      const kind = offeredKind(kinds, body.kind)
      const { value } = await change(store, actor, { permission, action }, async (tx) =>
        unlessReplayed(await createJob(tx, { kind, input: body.input, idempotencyKey: idempotency?.key ?? null })),
      )
      return { value, replayed: value.isReplayed }
    },
    location: ({ id }) => `/jobs/${id}`,
    answer: ({ id }, { actor }) => getJob(jobs, actor, id),
  })

  route.read({
    url: '/jobs/:jobId',
    id: 'getJob',
    summary: 'Get a job with the attempts of its lineage',
    permission: 'jobs.read',
    params: jobParams,
    response: jobSchema,
    answer: ({ actor, params }) => getJob(jobs, actor, params.jobId),
  })

  route.change({
    url: '/jobs/:jobId/cancellation',
    id: 'cancelJob',
    summary: 'Cancel a queued job, or request that a running one stops',
    permission: 'jobs.cancel',
    action: 'job.cancel',
    params: jobParams,
    body: nothingSchema,
    response: cancelledSchema,
    work: async (tx, { actor, params }) => {
      const { kind, row } = await jobOf(tx.db, actor, params.jobId)
      return cancelJob(tx, kind, row)
    },
    answer: async (outcome, { actor, params }) => ({ outcome, job: await getJob(jobs, actor, params.jobId) }),
  })

  route.change({
    url: '/jobs/:jobId/retry',
    id: 'retryJob',
    summary: 'Queue a new attempt of a failed or cancelled job; completed effects are not repeated',
    permission: 'jobs.retry',
    action: 'job.retry',
    params: jobParams,
    body: nothingSchema,
    response: jobSchema,
    status: 202,
    requiresKeySoThat: 'the same job is not queued twice',
    run: async ({ permission, action, idempotency }, { actor, params }) => {
      const { value } = await change(store, actor, { permission, action }, async (tx) => {
        const { kind, row } = await jobOf(tx.db, actor, params.jobId)
        if (idempotency === undefined) throw new Error('A retry has an Idempotency-Key.')
        return unlessReplayed(await retryJob(tx, kind, row, idempotency.key))
      })
      return { value, replayed: value.isReplayed }
    },
    location: ({ id }) => `/jobs/${id}`,
    answer: ({ id }, { actor }) => getJob(jobs, actor, id),
  })

  route.read({
    url: '/jobs/:jobId/events',
    id: 'listJobEvents',
    summary: 'List the events of a job after a cursor, in order',
    permission: 'jobs.read',
    params: jobParams,
    query: listEventsQuery,
    response: jobEventPageSchema,
    answer: ({ actor, params, query }) => listEvents(jobs, actor, params.jobId, query),
  })

  route.custom({
    method: 'GET',
    url: '/jobs/:jobId/events/stream',
    id: 'streamJobEvents',
    summary: 'Stream the events of a job, as Server-Sent Events named `job`; ends after the last one',
    permission: 'jobs.read',
    onlySession: true,
    produces: ['text/event-stream'],
    headers: z.object({
      'last-event-id': z.string().optional().describe('The id of the last event that was received'),
    }),
    params: jobParams,
    query: streamQuery,
    response: z.string(),
    handle: async (request, reply) => {
      const seen = eventCursor.safeParse(request.headers['last-event-id'] ?? request.query.after ?? 0)
      if (!seen.success) throw new AppError('invalid_request', 'Last-Event-ID must be the sequence of an event.')
      await streams.open(request, reply, request.params.jobId, seen.data)
      return reply
    },
  })

  /** Returns a visible job and its kind, as of the transaction of `db`. */
  async function jobOf(db: Parameters<typeof getJobRow>[0], actor: UserActor, jobId: string) {
    const row = await getJobRow(db, { tenantId: actor.tenantId, jobId, kinds: visibleKindNames(kinds, actor) })
    const kind = kinds.get(row.kind)
    if (kind === undefined) throw new Error('A visible job has a kind.')
    return { kind, row }
  }
}

/** Returns a kind that people may create. Errors: `invalid_request` (an unknown kind, or one that only its own room creates). */
function offeredKind(kinds: JobKinds, name: string): JobKind {
  const kind = kinds.get(name)
  if (kind?.isOffered === true) return kind
  throw invalidField(
    'kind',
    'unknown_kind',
    'This job kind does not exist. GET /job-kinds lists those that you may use.',
  )
}

function unlessReplayed(created: CreatedJob) {
  return created.isReplayed ? unchanged(created) : created
}

function toKind(
  { timeoutMs, check: _check, run: _run, onEnd: _onEnd, shortfallIn: _shortfallIn, ...facts }: JobKind,
  mayCreate: boolean,
) {
  return {
    ...facts,
    fields: [...facts.fields],
    timeoutSeconds: Math.round(timeoutMs / 1_000),
    isOffered: facts.isOffered && mayCreate,
  }
}
