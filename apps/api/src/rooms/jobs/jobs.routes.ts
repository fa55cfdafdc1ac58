import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import {
  answerChange,
  idempotencyHeaders,
  idempotencyOf,
  requiredIdempotencyHeaders,
  requiredIdempotencyOf,
} from '../../http/conditional.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { change, unchanged } from '../../store/change/change.ts'
import { sessionWatcher } from '../identity/identity.ts'
import { createEventStreams } from './events/event-stream.ts'
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
  const jobs = { store, kinds, cursors }
  const streams = createEventStreams(jobs, sessionWatcher(store, config))
  app.addHook('preClose', async () => streams.endAll())

  app.get(
    '/job-kinds',
    {
      schema: {
        operationId: 'listJobKinds',
        tags: ['jobs'],
        summary: 'The kinds of jobs that the asker may use',
        response: { 200: jobKindsSchema },
      },
      config: { permission: 'jobs.read' },
    },
    (request) => {
      const actor = actorOf(request)
      const mayCreate = actor.permissions.has('jobs.create')
      return { items: visibleKinds(kinds, actor).map((kind) => toKind(kind, mayCreate)) }
    },
  )

  app.get(
    '/jobs',
    {
      schema: {
        operationId: 'listJobs',
        tags: ['jobs'],
        summary: 'Jobs of the kinds that the asker may use, newest first',
        querystring: listJobsQuery,
        response: { 200: jobPageSchema },
      },
      config: { permission: 'jobs.read' },
    },
    (request) => listJobs(jobs, actorOf(request), request.query),
  )

  app.post(
    '/jobs',
    {
      schema: {
        operationId: 'createJob',
        tags: ['jobs'],
        summary: 'Queue a job; the same key and request again answer the job that is there',
        headers: requiredIdempotencyHeaders,
        body: createJobSchema,
        response: { 202: jobSchema },
      },
      config: { permission: 'jobs.create', tells: ['location'] },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const idempotencyKey = requiredKey(request)
      const kind = offeredKind(kinds, request.body.kind)
      const created = await change(store, actor, { permission: 'jobs.create', action: 'job.create' }, async (tx) =>
        unlessReplayed(await createJob(tx, { kind, input: request.body.input, idempotencyKey })),
      )
      return answerNew(reply, created.value, actor)
    },
  )

  app.get(
    '/jobs/:jobId',
    {
      schema: {
        operationId: 'getJob',
        tags: ['jobs'],
        summary: 'A job with the attempts of its lineage',
        params: jobParams,
        response: { 200: jobSchema },
      },
      config: { permission: 'jobs.read' },
    },
    (request) => getJob(jobs, actorOf(request), request.params.jobId),
  )

  app.post(
    '/jobs/:jobId/cancellation',
    {
      schema: {
        operationId: 'cancelJob',
        tags: ['jobs'],
        summary: 'Cancel a queued job, or ask a running one to stop',
        params: jobParams,
        headers: idempotencyHeaders,
        body: nothingSchema,
        response: { 200: cancelledSchema },
      },
      config: { permission: 'jobs.cancel' },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const { jobId } = request.params
      const options = { permission: 'jobs.cancel', action: 'job.cancel', idempotency: idempotencyOf(request) } as const
      const { value: outcome, replayed } = await change(store, actor, options, async (tx) => {
        const { kind, row } = await jobOf(tx.db, actor, jobId)
        return cancelJob(tx, kind, row)
      })
      return answerChange(reply, 200, { value: { outcome, job: await getJob(jobs, actor, jobId) }, replayed })
    },
  )

  app.post(
    '/jobs/:jobId/retry',
    {
      schema: {
        operationId: 'retryJob',
        tags: ['jobs'],
        summary: 'Queue a new attempt of a failed or cancelled job; effects that are done are not done again',
        params: jobParams,
        headers: requiredIdempotencyHeaders,
        body: nothingSchema,
        response: { 202: jobSchema },
      },
      config: { permission: 'jobs.retry', tells: ['location'] },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const { jobId } = request.params
      const idempotencyKey = requiredKey(request)
      const created = await change(store, actor, { permission: 'jobs.retry', action: 'job.retry' }, async (tx) => {
        const { kind, row } = await jobOf(tx.db, actor, jobId)
        return unlessReplayed(await retryJob(tx, kind, row, idempotencyKey))
      })
      return answerNew(reply, created.value, actor)
    },
  )

  app.get(
    '/jobs/:jobId/events',
    {
      schema: {
        operationId: 'listJobEvents',
        tags: ['jobs'],
        summary: 'What happened to a job behind a cursor, in order',
        params: jobParams,
        querystring: listEventsQuery,
        response: { 200: jobEventPageSchema },
      },
      config: { permission: 'jobs.read' },
    },
    (request) => listEvents(jobs, actorOf(request), request.params.jobId, request.query),
  )

  app.get(
    '/jobs/:jobId/events/stream',
    {
      schema: {
        operationId: 'streamJobEvents',
        tags: ['jobs'],
        summary: 'The same events as they come, as Server-Sent Events named `job`; ends behind the last one',
        produces: ['text/event-stream'],
        params: jobParams,
        querystring: streamQuery,
        headers: z.object({
          'last-event-id': z.string().optional().describe('The id of the last event that was seen'),
        }),
        response: { 200: z.string() },
      },
      config: { permission: 'jobs.read' },
    },
    async (request, reply) => {
      const seen = eventCursor.safeParse(request.headers['last-event-id'] ?? request.query.after ?? 0)
      if (!seen.success) throw new AppError('invalid_request', 'Last-Event-ID must be the sequence of an event.')
      await streams.open(request, reply, request.params.jobId, seen.data)
      return reply
    },
  )

  /** The job as it stands in the change that rests on it. */
  async function jobOf(db: Parameters<typeof getJobRow>[0], actor: ReturnType<typeof actorOf>, jobId: string) {
    const row = await getJobRow(db, { tenantId: actor.tenantId, jobId, kinds: visibleKindNames(kinds, actor) })
    const kind = kinds.get(row.kind)
    if (kind === undefined) throw new Error('A visible job has a kind.')
    return { kind, row }
  }

  /** Accepted is not done: whoever asked follows the job (Global rule 9). */
  async function answerNew(
    reply: Parameters<typeof answerChange>[0],
    { id, isReplayed }: CreatedJob,
    actor: ReturnType<typeof actorOf>,
  ) {
    reply.header('location', `/api/v1/jobs/${id}`)
    return answerChange(reply, 202, { value: await getJob(jobs, actor, id), replayed: isReplayed })
  }
}

function requiredKey(request: FastifyRequest): string {
  return requiredIdempotencyOf(request, 'the same job is not queued twice').key
}

/** Errors: `invalid_request` for a kind that this build does not know or that only its own room creates. */
function offeredKind(kinds: JobKinds, name: string): JobKind {
  const kind = kinds.get(name)
  if (kind?.isOffered === true) return kind
  throw invalidField(
    'kind',
    'unknown_kind',
    'There is no such kind of job. GET /job-kinds lists those that you may use.',
  )
}

function unlessReplayed(created: CreatedJob) {
  return created.isReplayed ? unchanged(created) : created
}

function toKind({ timeoutMs, check: _check, run: _run, ...facts }: JobKind, mayCreate: boolean) {
  return {
    ...facts,
    fields: [...facts.fields],
    timeoutSeconds: Math.round(timeoutMs / 1_000),
    isOffered: facts.isOffered && mayCreate,
  }
}
