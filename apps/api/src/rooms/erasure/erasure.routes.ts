import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { businessParams } from '../businesses/businesses.ts'
import type { RoomContext } from '../room.ts'
import { eraseBusinessSchema, erasedBusinessSchema } from './erasure.schema.ts'
import { eraseBusiness, getErased } from './erasure.ts'

export const erasureRoutes: RoomRoutes<RoomContext> = async (app, { store, rooms }) => {
  const route = createRoutes(app, { store, tag: 'erasure' })

  route.change({
    url: '/businesses/:businessId/erasure',
    id: 'eraseBusiness',
    summary: 'Erase a prospect and all records merged into it, permanently; suppressions remain',
    permission: 'erasure.erase',
    action: 'business.erase',
    stepUp: true,
    params: businessParams,
    body: eraseBusinessSchema,
    response: erasedBusinessSchema,
    run: ({ idempotency }, { actor, params, body }) =>
      eraseBusiness(store, rooms, actor, params.businessId, body, idempotency),
    answer: (erased, { actor }) => getErased(store.reader, actor.tenantId, erased),
  })
}
