import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders, requiredIdempotencyHeaders } from '../../http/conditional.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import type { UserActor } from '../../lib/actor.ts'
import { createJob, getJob, type JobKinds, jobSchema } from '../jobs/jobs.ts'
import { matchRun } from './matching.jobs.ts'
import {
  listSuggestionsQuery,
  rejectionSchema,
  startRunSchema,
  suggestionCountsSchema,
  suggestionPageSchema,
  suggestionParams,
  suggestionSchema,
} from './matching.schema.ts'
import { countSuggestions } from './suggestions/count-suggestions.ts'
import { suggestionForReader, summariesForReader } from './suggestions/hide-suggestion-values.ts'
import { listSuggestions } from './suggestions/list-suggestions.ts'
import { getSuggestion, rejectSuggestion } from './suggestions/suggestions.ts'

export const matchingRoutes: RoomRoutes<RoomOptions & { kinds: JobKinds }> = async (app, { store, cursors, kinds }) => {
  const asker = { db: store.reader, keys: store.keys }
  const shown = async (actor: UserActor, id: string) =>
    suggestionForReader(asker, actor, await getSuggestion(store.reader, actor.tenantId, id))

  changeRoute(app, store, {
    method: 'POST',
    url: '/match-runs',
    permission: 'matching.run',
    action: 'matching.start_run',
    schema: {
      operationId: 'startMatchRun',
      tags: ['matching'],
      summary: 'Start a job that compares all active records of the workspace',
      headers: requiredIdempotencyHeaders,
      body: startRunSchema,
      response: { 202: jobSchema },
    },
    status: 202,
    lest: 'no second run is started',
    // Another user who sends the same idempotency key gets the stored answer too, because the route only queues a job (Phase 4 §3).
    answersAnybody: true,
    work: async (tx, { body }) => {
      const { id: jobId } = await createJob(tx, { kind: matchRun, input: {} })
      await tx.record({ subject: { type: 'job', id: jobId }, reason: body.reason ?? null })
      return { jobId }
    },
    location: ({ jobId }) => `/jobs/${jobId}`,
    answer: ({ jobId }, { actor }) => getJob({ store, kinds }, actor, jobId),
  })

  app.get(
    '/match-suggestions',
    {
      schema: {
        operationId: 'listMatchSuggestions',
        tags: ['matching'],
        summary: 'List pairs of records that may be one business, most likely first',
        querystring: listSuggestionsQuery,
        response: { 200: suggestionPageSchema },
      },
      config: { permission: 'matching.read' },
    },
    async (request) => {
      const actor = actorOf(request)
      const page = await listSuggestions(store, cursors, actor, request.query)
      return { ...page, items: await summariesForReader(asker, actor, page.items) }
    },
  )

  app.get(
    '/match-suggestions/counts',
    {
      schema: {
        operationId: 'countMatchSuggestions',
        tags: ['matching'],
        summary: 'How many suggestions there are of each status and band',
        response: { 200: suggestionCountsSchema },
      },
      config: { permission: 'matching.read' },
    },
    async (request) => countSuggestions(store, actorOf(request).tenantId),
  )

  app.get(
    '/match-suggestions/:suggestionId',
    {
      schema: {
        operationId: 'getMatchSuggestion',
        tags: ['matching'],
        summary:
          'Get one pair with both records, the evidence for and against it, conflicts and the fingerprint of the pair',
        params: suggestionParams,
        response: { 200: suggestionSchema },
      },
      config: { permission: 'matching.read' },
    },
    (request) => shown(actorOf(request), request.params.suggestionId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/match-suggestions/:suggestionId/rejection',
    permission: 'matching.reject',
    action: 'matching.reject',
    schema: {
      operationId: 'rejectMatchSuggestion',
      tags: ['matching'],
      summary: 'Reject a pair as two businesses; it is not suggested again until a record changes',
      params: suggestionParams,
      headers: idempotencyHeaders,
      body: rejectionSchema,
      response: { 200: suggestionSchema },
    },
    status: 200,
    work: (tx, { params, body }) => rejectSuggestion(tx, params.suggestionId, body.reason),
    answer: ({ id }, { actor }) => shown(actor, id),
  })
}
