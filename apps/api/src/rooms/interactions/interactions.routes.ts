import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'interactions' })

  route.read({
    url: '/businesses/:businessId/interactions',
    id: 'listInteractions',
    summary: 'List the interactions with one prospect, latest first, including corrected ones',
    permission: 'interactions.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: interactionPageSchema,
    answer: ({ actor, params, query }) => interactionsOfBusiness.list(store, cursors, actor, params.businessId, query),
  })

  route.change({
    url: '/businesses/:businessId/interactions',
    id: 'addInteraction',
    summary: 'Record an interaction; it moves nothing and sends nothing, and a correction is a new entry',
    permission: 'interactions.write',
    action: 'interaction.add',
    params: businessParams,
    body: addInteractionSchema,
    response: interactionSchema,
    status: 201,
    work: (tx, { params, body }) => addInteraction(tx, params.businessId, body),
    answer: ({ id }, { actor }) => getInteraction(store.reader, actor.tenantId, id),
  })

  route.change({
    url: '/businesses/:businessId/opt-outs',
    id: 'recordOptOut',
    summary:
      'Record that a prospect asked not to be contacted: the interaction, the block and the suppression of its values',
    permission: 'interactions.write',
    action: 'interaction.add',
    params: businessParams,
    body: recordOptOutSchema,
    response: recordedOptOutSchema,
    status: 201,
    work: (tx, { params, body }) => recordOptOut(tx, params.businessId, body),
    answer: async ({ id, block }, { actor }) => ({
      interaction: await getInteraction(store.reader, actor.tenantId, id),
      business: await getBlocked(store.reader, actor.tenantId, block),
    }),
  })

  route.change({
    url: '/businesses/:businessId/follow-up-closure',
    id: 'closeFollowUp',
    summary: 'Close the open follow-up date of a prospect by hand; the next interaction closes it as well',
    permission: 'interactions.write',
    action: 'interaction.close_follow_up',
    params: businessParams,
    body: z.strictObject({}),
    response: businessSchema,
    work: (tx, { params }) => closeFollowUp(tx, params.businessId),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getBusiness(store.reader, actor.tenantId, id),
  })
}
