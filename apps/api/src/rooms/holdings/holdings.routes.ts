import { z } from 'zod'
import { isHead } from '../../http/head.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { actorOf } from '../../http/session-guard.ts'
import { createHoldingSchema, holdingFileQuery, holdingParams, holdingSchema } from './holdings.schema.ts'
import { getHolding, openHolding, requestHolding } from './holdings.ts'

export const holdingRoutes: RoomRoutes = async (app, { store }) => {
  const route = createRoutes(app, { store, tag: 'holdings' })

  route.change({
    url: '/holdings',
    id: 'createHolding',
    summary: 'Collect everything held about one prospect or one contact value; a job writes the file',
    permission: 'holdings.create',
    action: 'holding.request',
    stepUp: true,
    body: createHoldingSchema,
    response: holdingSchema,
    status: 202,
    requiresKeySoThat: 'nothing is collected twice',
    work: (tx, { body }) => requestHolding(tx, body),
    location: ({ id }) => `/holdings/${id}`,
    answer: ({ id }, { actor }) => getHolding(store, actor.tenantId, id),
  })

  route.read({
    url: '/holdings/:holdingId',
    id: 'getHolding',
    summary: 'Get a collection: what it is about, and the state of its file',
    permission: 'holdings.create',
    params: holdingParams,
    response: holdingSchema,
    answer: ({ actor, params }) => getHolding(store, actor.tenantId, params.holdingId),
  })

  route.custom({
    method: 'GET',
    url: '/holdings/:holdingId/file',
    id: 'getHoldingFile',
    summary: 'Download the file, to read or for programs; recorded in the audit',
    permission: 'holdings.create',
    stepUp: true,
    produces: ['application/json', 'text/html'],
    params: holdingParams,
    query: holdingFileQuery,
    response: z.unknown().meta({ type: 'string', format: 'binary' }),
    handle: async (request, reply) => {
      const wanted = { id: request.params.holdingId, format: request.query.format, isHead: isHead(request) }
      const { name, bytes, type, stream } = await openHolding(store, actorOf(request), wanted)
      reply.type(type).header('content-length', bytes).header('content-disposition', `attachment; filename="${name}"`)
      return reply.send(stream)
    },
  })
}
