import { z } from 'zod'
import { answerChange, idempotencyHeaders, idempotencyOf } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { change } from '../../store/change/change.ts'
import { businessParams, getBusiness } from '../businesses/businesses.ts'
import { getInteraction } from './interactions.queries.ts'
import { addInteractionSchema, interactionPageSchema, interactionSchema } from './interactions.schema.ts'
import { addInteraction, interactionForReader, listInteractions } from './interactions.ts'

export const interactionRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/businesses/:businessId/interactions',
    {
      schema: {
        operationId: 'listInteractions',
        tags: ['interactions'],
        summary: 'What happened with one prospect, latest first, corrected entries among them',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: interactionPageSchema },
      },
      config: { permission: 'interactions.read' },
    },
    (request) => listInteractions(store, cursors, actorOf(request), request.params.businessId, request.query),
  )

  app.post(
    '/businesses/:businessId/interactions',
    {
      schema: {
        operationId: 'addInteraction',
        tags: ['interactions'],
        summary: 'Record what happened; it moves nothing and sends nothing, and a correction is a new entry',
        params: businessParams,
        headers: idempotencyHeaders,
        body: addInteractionSchema,
        response: { 201: interactionSchema },
      },
      config: { permission: 'interactions.write' },
    },
    async (request, reply) => {
      const options = {
        permission: 'interactions.write',
        action: 'interaction.add',
        idempotency: idempotencyOf(request),
      } as const
      const { businessId } = request.params
      const actor = actorOf(request)
      const { value, replayed } = await change(store, actor, options, (tx) =>
        addInteraction(tx, businessId, request.body),
      )
      const interaction = await getInteraction(store.reader, actor.tenantId, value.id)
      const business = await getBusiness(store.reader, actor.tenantId, businessId)
      const shown = await interactionForReader(store.reader, actor, business, interaction)
      return answerChange(reply, 201, { value: shown, replayed })
    },
  )
}
