import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders, requiredIdempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { readBack } from '../../audit/audit.ts'
import type { RoomContext } from '../../room.ts'
import { assistSuggestion } from '../assist.jobs.ts'
import { previewSelection } from '../prompts/preview.ts'
import { endExaminationThreads } from '../prompts/run-examination.ts'
import { decideSuggestion } from './decide-suggestion.ts'
import { getStored, getSuggestion, listSuggestions, readExchange } from './read-suggestions.ts'
import { auditingRefusals, requestAudited } from './request-suggestion.ts'
import {
  decidedSchema,
  decideSchema,
  exchangeSchema,
  previewRequestSchema,
  previewSchema,
  requestSuggestionSchema,
  suggestionPageSchema,
  suggestionParams,
  suggestionQuery,
  suggestionSchema,
} from './suggestions.schema.ts'

const tags = ['assist']

export const suggestionRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, cursors, adapters },
) => {
  app.addHook('onClose', async () => endExaminationThreads())

  app.post(
    '/assist/previews',
    {
      schema: {
        operationId: 'previewSuggestion',
        tags,
        summary:
          'The exact bytes that a request would send, and what was redacted and withheld; sends and stores nothing',
        body: previewRequestSchema,
        response: { 200: previewSchema },
      },
      config: { permission: 'assist.request' },
    },
    (request) => {
      const actor = actorOf(request)
      const at = store.clock().toISOString()
      const view = { db: store.reader, keys: store.keys, tenantId: actor.tenantId, at, adapters }
      return auditingRefusals(store, actor, request.body, () => previewSelection(view, request.body))
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/assist/suggestions',
    permission: 'assist.request',
    action: 'assist.request',
    schema: {
      operationId: 'requestSuggestion',
      tags,
      summary: 'Request a suggestion for the bytes of a preview; a job sends them',
      headers: requiredIdempotencyHeaders,
      body: requestSuggestionSchema,
      response: { 202: suggestionSchema },
    },
    status: 202,
    lest: 'no prompt is sent twice',
    run: (options, { actor, body }) =>
      requestAudited(store, actor, options, { adapters, kind: assistSuggestion, body }),
    location: ({ id }) => `/assist/suggestions/${id}`,
    answer: ({ id }, { actor }) => getSuggestion(store, actor, adapters, id),
  })

  app.get(
    '/assist/suggestions',
    {
      schema: {
        operationId: 'listSuggestions',
        tags,
        summary: 'Suggestions, newest first, each in its state as of now',
        querystring: suggestionQuery,
        response: { 200: suggestionPageSchema },
      },
      config: { permission: 'assist.read' },
    },
    (request) => listSuggestions(store, cursors, actorOf(request), adapters, request.query),
  )

  app.get(
    '/assist/suggestions/:assistSuggestionId',
    {
      schema: {
        operationId: 'getSuggestion',
        tags,
        summary: 'One suggestion, with its claims and citations',
        params: suggestionParams,
        response: { 200: suggestionSchema },
      },
      config: { permission: 'assist.read' },
    },
    (request) => getSuggestion(store, actorOf(request), adapters, request.params.assistSuggestionId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/assist/suggestions/:assistSuggestionId/decision',
    permission: 'assist.decide',
    action: 'assist.approve',
    refused: {
      action: 'assist.approval_failed',
      subject: 'suggestion',
      decision: 'approve',
      find: async (db, tenantId, { assistSuggestionId: id = '' }) => {
        const { businessId } = await getStored(db, tenantId, id)
        return { id, businessId }
      },
    },
    schema: {
      operationId: 'decideSuggestion',
      tags,
      summary: "Approve or reject another person's suggestion, with a reason, on what was seen",
      params: suggestionParams,
      headers: idempotencyHeaders,
      body: decideSchema,
      response: { 200: decidedSchema },
    },
    status: 200,
    work: (tx, { params, body }) => decideSuggestion(tx, adapters, params.assistSuggestionId, body),
    answer: async ({ id, auditEventId }, { actor }) => ({
      suggestion: await getSuggestion(store, actor, adapters, id),
      event: await readBack(store.reader, actor.tenantId, auditEventId),
    }),
  })

  app.get(
    '/assist/suggestions/:assistSuggestionId/exchange',
    {
      schema: {
        operationId: 'getSuggestionExchange',
        tags,
        summary: 'The bytes sent and received for a suggestion, while their retention lasts',
        params: suggestionParams,
        response: { 200: exchangeSchema },
      },
      config: { permission: 'assist.decide' },
    },
    (request) => readExchange(store, actorOf(request), request.params.assistSuggestionId),
  )
}
