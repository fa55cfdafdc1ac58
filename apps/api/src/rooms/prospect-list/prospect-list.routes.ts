import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'businesses' })
  const listBusinesses = createBusinessLister(store, cursors)

  route.read({
    url: '/businesses',
    id: 'listBusinesses',
    summary: 'List prospects, with filter, sort order and search',
    permission: 'businesses.read',
    query: listBusinessesQuery,
    response: businessPageSchema,
    answer: ({ actor, query }) => listBusinesses(actor, query),
  })

  route.read({
    url: '/businesses/removed-filter-values',
    id: 'findRemovedFilterValues',
    summary: 'Find the values of a filter that no longer exist in the workspace',
    permission: 'businesses.read',
    query: findRemovedValuesQuery,
    response: removedFilterValuesSchema,
    answer: async ({ actor, query }) => ({
      removed: await findRemovedValues(store, actor, readConditions(query.conditions)),
    }),
  })
}
