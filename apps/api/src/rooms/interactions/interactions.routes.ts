import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { businessParams, businessSchema, getBusiness } from '../businesses/businesses.ts'
import { getBlocked } from '../suppression/suppression.ts'
import { closeFollowUp } from './close-follow-up.ts'
import { getInteraction } from './interactions.queries.ts'
import {
  addInteractionSchema,
  interactionPageSchema,
  interactionSchema,
  recordedOptOutSchema,
  recordOptOutSchema,
} from './interactions.schema.ts'
import { addInteraction, interactionsOfBusiness } from './interactions.ts'
import { recordOptOut } from './record-opt-out.ts'

export const interactionRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/businesses/:businessId/interactions',
    {
      schema: {
        operationId: 'listInteractions',
        tags: ['interactions'],
        summary: 'List the interactions with one prospect, latest first, including corrected ones',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: interactionPageSchema },
      },
      config: { permission: 'interactions.read' },
    },
    (request) =>
      interactionsOfBusiness.list(store, cursors, actorOf(request), request.params.businessId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/interactions',
    permission: 'interactions.write',
    action: 'interaction.add',
    schema: {
      operationId: 'addInteraction',
      tags: ['interactions'],
      summary: 'Record an interaction; it moves nothing and sends nothing, and a correction is a new entry',
      params: businessParams,
      headers: idempotencyHeaders,
      body: addInteractionSchema,
      response: { 201: interactionSchema },
    },
    status: 201,
    work: (tx, { params, body }) => addInteraction(tx, params.businessId, body),
    answer: ({ id }, { actor }) => getInteraction(store.reader, actor.tenantId, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/opt-outs',
    permission: 'interactions.write',
    action: 'interaction.add',
    schema: {
      operationId: 'recordOptOut',
      tags: ['interactions'],
      summary:
        'Record that a prospect asked not to be contacted: the interaction, the block and the suppression of its values',
      params: businessParams,
      headers: idempotencyHeaders,
      body: recordOptOutSchema,
      response: { 201: recordedOptOutSchema },
    },
    status: 201,
    work: (tx, { params, body }) => recordOptOut(tx, params.businessId, body),
    answer: async ({ id, block }, { actor }) => ({
      interaction: await getInteraction(store.reader, actor.tenantId, id),
      business: await getBlocked(store.reader, actor.tenantId, block),
    }),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/follow-up-closure',
    permission: 'interactions.write',
    action: 'interaction.close_follow_up',
    schema: {
      operationId: 'closeFollowUp',
      tags: ['interactions'],
      summary: 'Close the open follow-up date of a prospect by hand; the next interaction closes it as well',
      params: businessParams,
      headers: idempotencyHeaders,
      body: z.strictObject({}),
      response: { 200: businessSchema },
    },
    status: 200,
    work: (tx, { params }) => closeFollowUp(tx, params.businessId),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getBusiness(store.reader, actor.tenantId, id),
  })
}
