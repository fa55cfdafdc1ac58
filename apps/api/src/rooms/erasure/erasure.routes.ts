import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders } from '../../http/conditional.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { businessParams } from '../businesses/businesses.ts'
import type { RoomContext } from '../room.ts'
import { eraseBusinessSchema, erasedBusinessSchema } from './erasure.schema.ts'
import { eraseBusiness, getErased } from './erasure.ts'

export const erasureRoutes: RoomRoutes<RoomContext> = async (app, { store, rooms }) => {
  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/erasure',
    permission: 'erasure.erase',
    action: 'business.erase',
    stepUp: true,
    schema: {
      operationId: 'eraseBusiness',
      tags: ['erasure'],
      summary: 'Erase a prospect and all records merged into it, permanently; suppressions remain',
      params: businessParams,
      headers: idempotencyHeaders,
      body: eraseBusinessSchema,
      response: { 200: erasedBusinessSchema },
    },
    status: 200,
    run: ({ idempotency }, { actor, params, body }) =>
      eraseBusiness(store, rooms, actor, params.businessId, body, idempotency),
    answer: (erased, { actor }) => getErased(store.reader, actor.tenantId, erased),
  })
}
