import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { explainScore } from './explain-score.ts'
import { listScoreHistory } from './score-history.ts'
import { explainedScoreSchema, scoreHistorySchema } from './scores.schema.ts'

const READ = { permission: 'scoring.read' } as const
const tags = ['scoring']

export const scoreRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/businesses/:businessId/score',
    {
      schema: {
        operationId: 'getScore',
        tags,
        summary: 'Get the score of a prospect, with its rules and evidence',
        params: businessParams,
        response: { 200: explainedScoreSchema },
      },
      config: READ,
    },
    (request) => explainScore(store, actorOf(request), request.params.businessId),
  )

  app.get(
    '/businesses/:businessId/score/history',
    {
      schema: {
        operationId: 'listScoreHistory',
        tags,
        summary: 'List the changes of priority or eligibility of a prospect, newest first',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: scoreHistorySchema },
      },
      config: READ,
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return listScoreHistory(store, cursors, { tenantId, businessId: request.params.businessId }, request.query)
    },
  )
}
