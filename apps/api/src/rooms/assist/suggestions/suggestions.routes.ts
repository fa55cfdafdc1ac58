import type { RoomOptions, RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
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

export const suggestionRoutes: RoomRoutes<RoomOptions & Pick<RoomContext, 'adapters'>> = async (
  app,
  { store, cursors, adapters },
) => {
  const route = createRoutes(app, { store, tag: 'assist' })

  app.addHook('onClose', async () => endExaminationThreads())

  route.read({
    url: '/assist/previews',
    id: 'previewSuggestion',
    summary: 'The exact bytes that a request would send, and what was redacted and withheld; sends and stores nothing',
    permission: 'assist.request',
    body: previewRequestSchema,
    response: previewSchema,
    answer: ({ actor, body }) => {
      const at = store.clock().toISOString()
      const view = { db: store.reader, keys: store.keys, tenantId: actor.tenantId, at, adapters }
      return auditingRefusals(store, actor, body, () => previewSelection(view, body))
    },
  })

  route.change({
    url: '/assist/suggestions',
    id: 'requestSuggestion',
    summary: 'Request a suggestion for the bytes of a preview; a job sends them',
    permission: 'assist.request',
    action: 'assist.request',
    body: requestSuggestionSchema,
    response: suggestionSchema,
    status: 202,
    requiresKeySoThat: 'no prompt is sent twice',
    run: (options, { actor, body }) =>
      requestAudited(store, actor, options, { adapters, kind: assistSuggestion, body }),
    location: ({ id }) => `/assist/suggestions/${id}`,
    answer: ({ id }, { actor }) => getSuggestion(store, actor, adapters, id),
  })

  route.read({
    url: '/assist/suggestions',
    id: 'listSuggestions',
    summary: 'Suggestions, newest first, each in its state as of now',
    permission: 'assist.read',
    query: suggestionQuery,
    response: suggestionPageSchema,
    answer: ({ actor, query }) => listSuggestions(store, cursors, actor, adapters, query),
  })

  route.read({
    url: '/assist/suggestions/:assistSuggestionId',
    id: 'getSuggestion',
    summary: 'One suggestion, with its claims and citations',
    permission: 'assist.read',
    params: suggestionParams,
    response: suggestionSchema,
    answer: ({ actor, params }) => getSuggestion(store, actor, adapters, params.assistSuggestionId),
  })

  route.change({
    url: '/assist/suggestions/:assistSuggestionId/decision',
    id: 'decideSuggestion',
    summary: "Approve or reject another person's suggestion, with a reason, on what was seen",
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
    params: suggestionParams,
    body: decideSchema,
    response: decidedSchema,
    work: (tx, { params, body }) => decideSuggestion(tx, adapters, params.assistSuggestionId, body),
    answer: async ({ id, auditEventId }, { actor }) => ({
      suggestion: await getSuggestion(store, actor, adapters, id),
      event: await readBack(store.reader, actor.tenantId, auditEventId),
    }),
  })

  route.read({
    url: '/assist/suggestions/:assistSuggestionId/exchange',
    id: 'getSuggestionExchange',
    summary: 'The bytes sent and received for a suggestion, while their retention lasts',
    permission: 'assist.decide',
    params: suggestionParams,
    response: exchangeSchema,
    answer: ({ actor, params }) => readExchange(store, actor, params.assistSuggestionId),
  })
}
