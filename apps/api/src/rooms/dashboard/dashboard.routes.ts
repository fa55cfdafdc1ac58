import { changeRoute } from '../../http/change-route.ts'
import { setEntityTag, versionHeaders } from '../../http/conditional.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import type { RoomContext } from '../room.ts'
import { arrange, getArrangement } from './arrangement.ts'
import { arrangementSchema, arrangeSchema, dashboardSchema, tileParams, tileSchema } from './dashboard.schema.ts'
import { createTileContext, findQuickTile, findTile } from './tiles.ts'

const tags = ['dashboard']

export const dashboardRoutes: RoomRoutes<RoomContext> = async (app, { store, kinds }) => {
  const context = createTileContext(store, kinds, app.log)

  app.get(
    '/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        tags,
        summary: 'The tiles of the person; those that take longer are pending',
        response: { 200: dashboardSchema },
      },
      config: { permission: 'dashboard.read' },
    },
    async (request) => {
      const actor = actorOf(request)
      const arrangement = await getArrangement(store.reader, actor)
      const shown = arrangement.tiles.filter(({ isHidden }) => !isHidden)
      const tiles = await Promise.all(shown.map(({ key }) => findQuickTile(context, actor, key)))
      return { arrangement, tiles }
    },
  )

  app.get(
    '/dashboard/tiles/:key',
    {
      schema: {
        operationId: 'getTile',
        tags,
        summary: 'One tile, counted now',
        params: tileParams,
        response: { 200: tileSchema },
      },
      config: { permission: 'dashboard.read' },
    },
    (request) => findTile(context, actorOf(request), request.params.key),
  )

  app.get(
    '/dashboard/arrangement',
    {
      schema: {
        operationId: 'getArrangement',
        tags,
        summary: 'The order of the person’s tiles, hidden ones among them',
        response: { 200: arrangementSchema },
      },
      config: { permission: null, tells: ['etag'] },
    },
    async (request, reply) => {
      const arrangement = await getArrangement(store.reader, actorOf(request))
      setEntityTag(reply, arrangement.version)
      return arrangement
    },
  )

  changeRoute(app, store, {
    method: 'PUT',
    url: '/dashboard/arrangement',
    permission: null,
    action: 'dashboard.arrange',
    schema: {
      operationId: 'arrangeDashboard',
      tags,
      summary: 'Set order and hidden tiles, at most 24',
      headers: versionHeaders,
      body: arrangeSchema,
      response: { 200: arrangementSchema },
    },
    status: 200,
    work: (tx, { actor, version, body }) => arrange(tx, actor, version, body),
    etag: ({ version }) => version,
    answer: (arrangement) => arrangement,
  })
}
