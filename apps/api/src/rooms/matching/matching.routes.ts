import {
  answerChange,
  idempotencyHeaders,
  idempotencyOf,
  requiredIdempotencyHeaders,
  requiredIdempotencyOf,
} from '../../http/conditional.ts'
import type { RoomOptions, RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { change } from '../../store/change/change.ts'
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
import { suggestionForReader, summaryForReader } from './suggestions/hide-suggestion-values.ts'
import { listSuggestions } from './suggestions/list-suggestions.ts'
import { getSuggestion, rejectSuggestion } from './suggestions/suggestions.ts'

export const matchingRoutes: RoomRoutes<RoomOptions & { kinds: JobKinds }> = async (app, { store, cursors, kinds }) => {
  app.post(
    '/match-runs',
    {
      schema: {
        operationId: 'startMatchRun',
        tags: ['matching'],
        summary: 'Compare all active records of the tenant; a job does it',
        headers: requiredIdempotencyHeaders,
        body: startRunSchema,
        response: { 202: jobSchema },
      },
      config: { permission: 'matching.run', tells: ['location'] },
    },
    async (request, reply) => {
      const idempotency = requiredIdempotencyOf(request, 'no run is started twice')
      const actor = actorOf(request)
      const options = {
        permission: 'matching.run',
        action: 'matching.start_run',
        // A run is a job (Phase 4 §3): an identical request of another person who may start one returns it.
        idempotency: { ...idempotency, answersAnybody: true },
      } as const
      const { value, replayed } = await change(store, actor, options, async (tx) => {
        const { id: jobId } = await createJob(tx, { kind: matchRun, input: {} })
        await tx.record({ subject: { type: 'job', id: jobId }, reason: request.body.reason ?? null })
        return { jobId }
      })
      reply.header('location', `/api/v1/jobs/${value.jobId}`)
      return answerChange(reply, 202, { value: await getJob({ store, kinds }, actor, value.jobId), replayed })
    },
  )

  app.get(
    '/match-suggestions',
    {
      schema: {
        operationId: 'listMatchSuggestions',
        tags: ['matching'],
        summary: 'Pairs of records that may be one business, the likeliest first',
        querystring: listSuggestionsQuery,
        response: { 200: suggestionPageSchema },
      },
      config: { permission: 'matching.read' },
    },
    async (request) => {
      const actor = actorOf(request)
      const page = await listSuggestions(store, cursors, actor, request.query)
      return { ...page, items: page.items.map((item) => summaryForReader(actor, item)) }
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
          'One pair with both records, what speaks for and against it, conflicts and the fingerprint of what was seen',
        params: suggestionParams,
        response: { 200: suggestionSchema },
      },
      config: { permission: 'matching.read' },
    },
    async (request) => {
      const actor = actorOf(request)
      const suggestion = await getSuggestion(store.reader, actor.tenantId, request.params.suggestionId)
      return suggestionForReader(store.reader, actor, suggestion)
    },
  )

  app.post(
    '/match-suggestions/:suggestionId/rejection',
    {
      schema: {
        operationId: 'rejectMatchSuggestion',
        tags: ['matching'],
        summary: 'Say that these are two businesses; the pair is not proposed again until a record changes',
        params: suggestionParams,
        headers: idempotencyHeaders,
        body: rejectionSchema,
        response: { 200: suggestionSchema },
      },
      config: { permission: 'matching.reject' },
    },
    async (request, reply) => {
      const options = {
        permission: 'matching.reject',
        action: 'matching.reject',
        idempotency: idempotencyOf(request),
      } as const
      const { suggestionId } = request.params
      const actor = actorOf(request)
      const result = await change(store, actor, options, (tx) =>
        rejectSuggestion(tx, suggestionId, request.body.reason),
      )
      return suggestionForReader(store.reader, actor, answerChange(reply, 200, result))
    },
  )
}
