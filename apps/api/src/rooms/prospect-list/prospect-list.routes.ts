import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { readConditions } from './conditions/query-conditions.ts'
import { findRemovedValues } from './conditions/removed-values.ts'
import { createBusinessLister } from './list/list-businesses.ts'
import {
  businessPageSchema,
  findRemovedValuesQuery,
  listBusinessesQuery,
  removedFilterValuesSchema,
} from './prospect-list.schema.ts'

export const prospectListRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const listBusinesses = createBusinessLister(store, cursors)

  app.get(
    '/businesses',
    {
      schema: {
        operationId: 'listBusinesses',
        tags: ['businesses'],
        summary: 'List prospects, with filter, sort order and search',
        querystring: listBusinessesQuery,
        response: { 200: businessPageSchema },
      },
      config: { permission: 'businesses.read' },
    },
    (request) => listBusinesses(actorOf(request), request.query),
  )

  app.get(
    '/businesses/removed-filter-values',
    {
      schema: {
        operationId: 'findRemovedFilterValues',
        tags: ['businesses'],
        summary: 'Find the values of a filter that no longer exist in the workspace',
        querystring: findRemovedValuesQuery,
        response: { 200: removedFilterValuesSchema },
      },
      config: { permission: 'businesses.read' },
    },
    async (request) => ({
      removed: await findRemovedValues(store, actorOf(request), readConditions(request.query.conditions)),
    }),
  )
}
