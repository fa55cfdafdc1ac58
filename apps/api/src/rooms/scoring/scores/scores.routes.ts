import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { explainScore } from './explain-score.ts'
import { listScoreHistory } from './score-history.ts'
import { explainedScoreSchema, scoreHistorySchema } from './scores.schema.ts'

export const scoreRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'scoring' })

  route.read({
    url: '/businesses/:businessId/score',
    id: 'getScore',
    summary: 'Get the score of a prospect, with its rules and evidence',
    permission: 'scoring.read',
    params: businessParams,
    response: explainedScoreSchema,
    answer: ({ actor, params }) => explainScore(store, actor, params.businessId),
  })

  route.read({
    url: '/businesses/:businessId/score/history',
    id: 'listScoreHistory',
    summary: 'List the changes of priority or eligibility of a prospect, newest first',
    permission: 'scoring.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: scoreHistorySchema,
    answer: ({ actor: { tenantId }, params, query }) =>
      listScoreHistory(store, cursors, { tenantId, businessId: params.businessId }, query),
  })
}
