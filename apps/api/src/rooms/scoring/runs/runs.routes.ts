import { z } from 'zod'
import { newestFirst, pageQuery, toPage, totalOf } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { getPreview, movesOf, selectMoves } from '../previews/previews.queries.ts'
import { movePageSchema, movesQuery, previewParams, previewSchema } from '../previews/previews.schema.ts'
import { activateRun } from './activate-run.ts'
import { describeActive } from './describe-active.ts'
import { requestRun } from './request-run.ts'
import { getRun, selectFailures, selectRuns } from './runs.queries.ts'
import {
  activateRunSchema,
  activeScoringSchema,
  createRunSchema,
  failurePageSchema,
  runPageSchema,
  runParams,
  runSchema,
} from './runs.schema.ts'

export const runRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'scoring' })

  route.read({
    url: '/scoring/active',
    id: 'getActiveScoring',
    summary: 'Get the active version, its run and the distribution of its scores',
    permission: 'scoring.read',
    response: activeScoringSchema,
    answer: ({ actor }) => describeActive(store, actor.tenantId),
  })

  route.read({
    url: '/scoring/runs',
    id: 'listScoringRuns',
    summary: 'List recalculations, newest first',
    permission: 'scoring.read',
    query: z.strictObject(pageQuery),
    response: runPageSchema,
    answer: ({ actor: { tenantId }, query }) =>
      newestFirst({
        store,
        tenantId,
        cursors,
        binding: ['scoring-runs', tenantId],
        query,
        fetch: (before, limit) => selectRuns(store.reader, { tenantId, before, limit }),
        count: (db) => db.selectFrom('scoring_runs').select('id').where('tenant_id', '=', tenantId),
        toItem: (run) => run,
      }),
  })

  route.change({
    url: '/scoring/runs',
    id: 'createScoringRun',
    summary: 'Recalculate the scores of all prospects by an approved version; a job does it beside the active scores',
    permission: 'scoring.recalculate',
    action: 'scoring_run.create',
    stepUpWhen: ({ body }) => body.activate === 'when_complete',
    body: createRunSchema,
    response: runSchema,
    status: 202,
    requiresKeySoThat: 'no recalculation runs twice',
    work: (tx, { body }) => requestRun(tx, body),
    location: ({ id }) => `/scoring/runs/${id}`,
    answer: ({ id }, { actor }) => getRun(store.reader, { tenantId: actor.tenantId, id }),
  })

  route.read({
    url: '/scoring/runs/:runId',
    id: 'getScoringRun',
    summary: 'One recalculation',
    permission: 'scoring.read',
    params: runParams,
    response: runSchema,
    answer: ({ actor, params }) => getRun(store.reader, { tenantId: actor.tenantId, id: params.runId }),
  })

  route.read({
    url: '/scoring/runs/:runId/failures',
    id: 'listScoringFailures',
    summary: 'List the records that a run could not score, with reasons',
    permission: 'scoring.read',
    params: runParams,
    query: z.strictObject(pageQuery),
    response: failurePageSchema,
    answer: async ({ actor: { tenantId }, params, query }) => {
      const { runId } = params
      const { limit, cursor } = query
      await getRun(store.reader, { tenantId, id: runId })
      const binding = ['scoring-failures', tenantId, runId]
      const [after = ''] = cursor === undefined ? [] : cursors.decode(binding, cursor)
      const rows = await selectFailures(store.reader, { tenantId, runId, after: String(after), limit: limit + 1 })
      return toPage({
        rows,
        limit,
        total: await totalOf(store, { tenantId, rows, limit, cursor }, (db) =>
          db
            .selectFrom('scoring_failures')
            .select('business_id')
            .where('tenant_id', '=', tenantId)
            .where('run_id', '=', runId),
        ),
        toItem: (failure) => failure,
        cursorAfter: ({ businessId }) => cursors.encode(binding, [businessId]),
      })
    },
  })

  route.change({
    url: '/scoring/runs/:runId/activation',
    id: 'activateScoringRun',
    summary:
      'Activate the scores of a run, naming the run that is active; activating the previous run again is the rollback',
    permission: 'scoring.recalculate',
    action: 'scoring_run.activate',
    stepUp: true,
    params: runParams,
    body: activateRunSchema,
    response: runSchema,
    work: (tx, { params, body }) => activateRun(tx, params.runId, body),
    answer: ({ id }, { actor }) => getRun(store.reader, { tenantId: actor.tenantId, id }),
  })

  route.read({
    url: '/scoring/previews/:previewId',
    id: 'getScoringPreview',
    summary: 'Get a full preview: distributions and matrices before and after',
    permission: 'scoring.read',
    params: previewParams,
    response: previewSchema,
    answer: ({ actor, params }) => {
      const key = { tenantId: actor.tenantId, id: params.previewId }
      return getPreview(store.reader, key, store.clock().toISOString())
    },
  })

  route.read({
    url: '/scoring/previews/:previewId/moves',
    id: 'listScoringMoves',
    summary: 'List the largest moves of one cell of a preview, at most 1,000',
    permission: 'scoring.read',
    params: previewParams,
    query: movesQuery,
    response: movePageSchema,
    answer: async ({ actor: { tenantId }, params, query }) => {
      const { previewId } = params
      const { limit, cursor, of: matrix, from, to } = query
      await getPreview(store.reader, { tenantId, id: previewId }, store.clock().toISOString())
      const binding = ['scoring-moves', tenantId, previewId, matrix, from, to]
      const [lastFrom, lastTo, place] = cursor === undefined ? [] : cursors.decode(binding, cursor)
      const after =
        place === undefined ? undefined : { from: String(lastFrom), to: String(lastTo), place: Number(place) }
      const wanted = { tenantId, previewId, matrix, from, to }
      const rows = await selectMoves(store.reader, { ...wanted, after, limit: limit + 1 })
      return toPage({
        rows,
        limit,
        total: await totalOf(store, { tenantId, rows, limit, cursor }, (db) => movesOf(db, wanted)),
        toItem: ({ place: _place, ...move }) => move,
        cursorAfter: (move) => cursors.encode(binding, [move.from, move.to, move.place]),
      })
    },
  })
}
