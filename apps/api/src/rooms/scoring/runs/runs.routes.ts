import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders, requiredIdempotencyHeaders } from '../../../http/conditional.ts'
import { newestFirst, pageQuery, toPage, totalOf } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
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

const READ = { permission: 'scoring.read' } as const
const tags = ['scoring']

export const runRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/scoring/active',
    {
      schema: {
        operationId: 'getActiveScoring',
        tags,
        summary: 'Get the active version, its run and the distribution of its scores',
        response: { 200: activeScoringSchema },
      },
      config: READ,
    },
    (request) => describeActive(store, actorOf(request).tenantId),
  )

  app.get(
    '/scoring/runs',
    {
      schema: {
        operationId: 'listScoringRuns',
        tags,
        summary: 'List recalculations, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: runPageSchema },
      },
      config: READ,
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return newestFirst({
        store,
        tenantId,
        cursors,
        binding: ['scoring-runs', tenantId],
        query: request.query,
        fetch: (before, limit) => selectRuns(store.reader, { tenantId, before, limit }),
        count: (db) => db.selectFrom('scoring_runs').select('id').where('tenant_id', '=', tenantId),
        toItem: (run) => run,
      })
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/scoring/runs',
    permission: 'scoring.recalculate',
    action: 'scoring_run.create',
    stepUpWhen: ({ body }) => body.activate === 'when_complete',
    schema: {
      operationId: 'createScoringRun',
      tags,
      summary: 'Recalculate the scores of all prospects by an approved version; a job does it beside the active scores',
      headers: requiredIdempotencyHeaders,
      body: createRunSchema,
      response: { 202: runSchema },
    },
    status: 202,
    lest: 'no recalculation runs twice',
    work: (tx, { body }) => requestRun(tx, body),
    location: ({ id }) => `/scoring/runs/${id}`,
    answer: ({ id }, { actor }) => getRun(store.reader, { tenantId: actor.tenantId, id }),
  })

  app.get(
    '/scoring/runs/:runId',
    {
      schema: {
        operationId: 'getScoringRun',
        tags,
        summary: 'One recalculation',
        params: runParams,
        response: { 200: runSchema },
      },
      config: READ,
    },
    (request) => getRun(store.reader, { tenantId: actorOf(request).tenantId, id: request.params.runId }),
  )

  app.get(
    '/scoring/runs/:runId/failures',
    {
      schema: {
        operationId: 'listScoringFailures',
        tags,
        summary: 'List the records that a run could not score, with reasons',
        params: runParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: failurePageSchema },
      },
      config: READ,
    },
    async (request) => {
      const { tenantId } = actorOf(request)
      const { runId } = request.params
      const { limit, cursor } = request.query
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
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/scoring/runs/:runId/activation',
    permission: 'scoring.recalculate',
    action: 'scoring_run.activate',
    stepUp: true,
    schema: {
      operationId: 'activateScoringRun',
      tags,
      summary:
        'Activate the scores of a run, naming the run that is active; activating the previous run again is the rollback',
      params: runParams,
      headers: idempotencyHeaders,
      body: activateRunSchema,
      response: { 200: runSchema },
    },
    status: 200,
    work: (tx, { params, body }) => activateRun(tx, params.runId, body),
    answer: ({ id }, { actor }) => getRun(store.reader, { tenantId: actor.tenantId, id }),
  })

  app.get(
    '/scoring/previews/:previewId',
    {
      schema: {
        operationId: 'getScoringPreview',
        tags,
        summary: 'Get a full preview: distributions and matrices before and after',
        params: previewParams,
        response: { 200: previewSchema },
      },
      config: READ,
    },
    (request) => {
      const key = { tenantId: actorOf(request).tenantId, id: request.params.previewId }
      return getPreview(store.reader, key, store.clock().toISOString())
    },
  )

  app.get(
    '/scoring/previews/:previewId/moves',
    {
      schema: {
        operationId: 'listScoringMoves',
        tags,
        summary: 'List the largest moves of one cell of a preview, at most 1,000',
        params: previewParams,
        querystring: movesQuery,
        response: { 200: movePageSchema },
      },
      config: READ,
    },
    async (request) => {
      const { tenantId } = actorOf(request)
      const { previewId } = request.params
      const { limit, cursor, of: matrix, from, to } = request.query
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
  )
}
