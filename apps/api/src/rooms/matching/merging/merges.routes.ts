import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { suggestionParams } from '../matching.schema.ts'
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
  const route = createRoutes(app, { store, tag: 'matching' })
  const shown = (actor: UserActor, id: string) => getMerge(store.reader, actor.tenantId, id)

  route.read({
    url: '/match-suggestions/:suggestionId/merge-preview',
    id: 'previewMerge',
    summary: 'Preview a merge: what would move and what has to be decided, with the fingerprint of the pair',
    permission: 'matching.read',
    params: suggestionParams,
    response: mergePreviewSchema,
    answer: ({ actor, params }) => previewMerge(store.reader, actor.tenantId, params.suggestionId),
  })

  route.change({
    url: '/match-suggestions/:suggestionId/merge',
    id: 'mergeSuggestion',
    summary: 'Merge the two records; a snapshot is written first, and every value keeps its origin',
    permission: 'matching.merge',
    action: 'matching.merge',
    params: suggestionParams,
    body: mergeBodySchema,
    response: mergeSchema,
    requiresKeySoThat: 'no second merge is begun',
    run: ({ idempotency }, { actor, params, body }) =>
      mergeBusinesses(store, actor, params.suggestionId, body, idempotency),
    answer: ({ id }, { actor }) => shown(actor, id),
  })

  route.read({
    url: '/merges',
    id: 'listMerges',
    summary: 'List merges of the workspace, newest first',
    permission: 'matching.read',
    query: listMergesQuery,
    response: mergePageSchema,
    answer: ({ actor, query }) => listMerges(store, cursors, actor.tenantId, query),
  })

  route.read({
    url: '/merges/:mergeId',
    id: 'getMerge',
    summary: 'One merge with its snapshot, what was decided and what its reversal would do now',
    permission: 'matching.read',
    params: mergeParams,
    response: mergeSchema,
    answer: ({ actor, params }) => shown(actor, params.mergeId),
  })

  route.change({
    url: '/merges/:mergeId/reversal',
    id: 'reverseMerge',
    summary: 'Reverse a merge from its snapshot; later additions stay with the survivor',
    permission: 'matching.reverse',
    action: 'matching.reverse',
    stepUp: true,
    params: mergeParams,
    body: reversalBodySchema,
    response: mergeSchema,
    requiresKeySoThat: 'no second reversal is begun',
    run: ({ idempotency }, { actor, params, body }) =>
      reverseMerge(store, actor, params.mergeId, body.reason, idempotency),
    answer: ({ id }, { actor }) => shown(actor, id),
  })

  route.read({
    url: '/merge-attempts',
    id: 'listMergeAttempts',
    summary: 'Merges and reversals that were begun, with what became of them, newest first',
    permission: 'matching.read',
    query: listAttemptsQuery,
    response: attemptPageSchema,
    answer: ({ actor, query }) => listAttempts(store, cursors, actor.tenantId, query),
  })
}
