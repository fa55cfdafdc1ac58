import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import type { RoomContext } from '../room.ts'
import { arrange, getArrangement } from './arrangement.ts'
import { arrangementSchema, arrangeSchema, dashboardSchema, tileParams, tileSchema } from './dashboard.schema.ts'
import { createTileContext, findQuickTile, findTile } from './tiles.ts'

export const dashboardRoutes: RoomRoutes<RoomContext> = async (app, { store, kinds, rooms, cursors, adapters }) => {
  const route = createRoutes(app, { store, tag: 'dashboard' })
  const context = createTileContext({ store, kinds, rooms, cursors, adapters, log: app.log })

  route.read({
    url: '/dashboard',
    id: 'getDashboard',
    summary: 'The tiles of the person; those that take longer are pending',
    permission: 'dashboard.read',
    response: dashboardSchema,
    answer: async ({ actor }) => {
      const arrangement = await getArrangement(store.reader, actor)
      const shown = arrangement.tiles.filter(({ isHidden }) => !isHidden)
      const tiles = await Promise.all(shown.map(({ key }) => findQuickTile(context, actor, key)))
      return { arrangement, tiles }
    },
  })

  route.read({
    url: '/dashboard/tiles/:key',
    id: 'getTile',
    summary: 'One tile, counted now',
    permission: 'dashboard.read',
    params: tileParams,
    response: tileSchema,
    answer: ({ actor, params }) => findTile(context, actor, params.key),
  })

  route.read({
    url: '/dashboard/arrangement',
    id: 'getArrangement',
    summary: 'The order of the person’s tiles, hidden ones among them',
    permission: null,
    response: arrangementSchema,
    etag: ({ version }) => version,
    answer: ({ actor }) => getArrangement(store.reader, actor),
  })

  route.change({
    method: 'PUT',
    url: '/dashboard/arrangement',
    id: 'arrangeDashboard',
    summary: 'Set order and hidden tiles, at most 24',
    permission: null,
    action: 'dashboard.arrange',
    body: arrangeSchema,
    response: arrangementSchema,
    work: (tx, { actor, version, body }) => arrange(tx, actor, version, body),
    etag: ({ version }) => version,
    answer: (arrangement) => arrangement,
  })
}
