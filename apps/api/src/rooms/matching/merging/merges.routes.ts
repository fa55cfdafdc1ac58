import { changeRoute } from '../../../http/change-route.ts'
import { requiredIdempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { suggestionParams } from '../matching.schema.ts'
import { mergeForReader, mergesForReader } from './hide-merge-reasons.ts'
import { mergeBusinesses } from './merge-businesses.ts'
import {
  attemptPageSchema,
  listAttemptsQuery,
  listMergesQuery,
  mergeBodySchema,
  mergePageSchema,
  mergeParams,
  mergePreviewSchema,
  mergeSchema,
  reversalBodySchema,
} from './merges.schema.ts'
import { getMerge, listAttempts, listMerges, previewMerge } from './read-merges.ts'
import { reverseMerge } from './reverse-merge.ts'

export const mergeRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const shown = async (actor: UserActor, id: string) =>
    mergeForReader(store.reader, actor, await getMerge(store.reader, actor.tenantId, id))

  app.get(
    '/match-suggestions/:suggestionId/merge-preview',
    {
      schema: {
        operationId: 'previewMerge',
        tags: ['matching'],
        summary: 'Preview a merge: what would move and what has to be decided, with the fingerprint of the pair',
        params: suggestionParams,
        response: { 200: mergePreviewSchema },
      },
      config: { permission: 'matching.read' },
    },
    (request) => previewMerge(store.reader, actorOf(request).tenantId, request.params.suggestionId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/match-suggestions/:suggestionId/merge',
    permission: 'matching.merge',
    action: 'matching.merge',
    schema: {
      operationId: 'mergeSuggestion',
      tags: ['matching'],
      summary: 'Merge the two records; a snapshot is written first, and every value keeps its origin',
      params: suggestionParams,
      headers: requiredIdempotencyHeaders,
      body: mergeBodySchema,
      response: { 200: mergeSchema },
    },
    status: 200,
    lest: 'no second merge is begun',
    run: ({ idempotency }, { actor, params, body }) =>
      mergeBusinesses(store, actor, params.suggestionId, body, idempotency),
    answer: ({ id }, { actor }) => shown(actor, id),
  })

  app.get(
    '/merges',
    {
      schema: {
        operationId: 'listMerges',
        tags: ['matching'],
        summary: 'List merges of the workspace, newest first',
        querystring: listMergesQuery,
        response: { 200: mergePageSchema },
      },
      config: { permission: 'matching.read' },
    },
    async (request) => {
      const actor = actorOf(request)
      const page = await listMerges(store, cursors, actor.tenantId, request.query)
      return { ...page, items: await mergesForReader(store.reader, actor, page.items) }
    },
  )

  app.get(
    '/merges/:mergeId',
    {
      schema: {
        operationId: 'getMerge',
        tags: ['matching'],
        summary: 'One merge with its snapshot, what was decided and what its reversal would do now',
        params: mergeParams,
        response: { 200: mergeSchema },
      },
      config: { permission: 'matching.read' },
    },
    (request) => shown(actorOf(request), request.params.mergeId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/merges/:mergeId/reversal',
    permission: 'matching.reverse',
    action: 'matching.reverse',
    stepUp: true,
    schema: {
      operationId: 'reverseMerge',
      tags: ['matching'],
      summary: 'Reverse a merge from its snapshot; later additions stay with the survivor',
      params: mergeParams,
      headers: requiredIdempotencyHeaders,
      body: reversalBodySchema,
      response: { 200: mergeSchema },
    },
    status: 200,
    lest: 'no second reversal is begun',
    run: ({ idempotency }, { actor, params, body }) =>
      reverseMerge(store, actor, params.mergeId, body.reason, idempotency),
    answer: ({ id }, { actor }) => shown(actor, id),
  })

  app.get(
    '/merge-attempts',
    {
      schema: {
        operationId: 'listMergeAttempts',
        tags: ['matching'],
        summary: 'Merges and reversals that were begun, with what became of them, newest first',
        querystring: listAttemptsQuery,
        response: { 200: attemptPageSchema },
      },
      config: { permission: 'matching.read' },
    },
    (request) => listAttempts(store, cursors, actorOf(request).tenantId, request.query),
  )
}
