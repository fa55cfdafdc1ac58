import { answerChange, idempotencyHeaders, idempotencyOf } from '../../http/conditional.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { businessParams } from '../businesses/businesses.ts'
import type { RoomContext } from '../room.ts'
import { eraseBusinessSchema, erasedBusinessSchema } from './erasure.schema.ts'
import { eraseBusiness } from './erasure.ts'

export const erasureRoutes: RoomRoutes<RoomContext> = async (app, { store, rooms }) => {
  app.post(
    '/businesses/:businessId/erasure',
    {
      schema: {
        operationId: 'eraseBusiness',
        tags: ['erasure'],
        summary: 'Erase a prospect with all that was merged into it, for good; suppressions stay',
        params: businessParams,
        headers: idempotencyHeaders,
        body: eraseBusinessSchema,
        response: { 200: erasedBusinessSchema },
      },
      config: { permission: 'erasure.erase', stepUp: true },
    },
    async (request, reply) => {
      const { businessId } = request.params
      const result = await eraseBusiness(
        store,
        rooms,
        actorOf(request),
        businessId,
        request.body,
        idempotencyOf(request),
      )
      return answerChange(reply, 200, result)
    },
  )
}
