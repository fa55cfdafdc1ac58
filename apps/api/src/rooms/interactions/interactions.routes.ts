import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { businessParams, businessSchema, getBusiness } from '../businesses/businesses.ts'
import { getBlocked } from '../suppression/suppression.ts'
import { getInteraction } from './interactions.queries.ts'
import {
  addInteractionSchema,
  interactionPageSchema,
  interactionSchema,
  recordedOptOutSchema,
  recordOptOutSchema,
  setFollowUpSchema,
} from './interactions.schema.ts'
import { addInteraction, interactionsOfBusiness } from './interactions.ts'
import { recordOptOut } from './record-opt-out.ts'
import { setFollowUp } from './set-follow-up.ts'

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
    method: 'PUT',
    url: '/businesses/:businessId/follow-up',
    id: 'setFollowUp',
    summary:
      'Set, move or clear the follow-up date of a prospect without an interaction; the next interaction replaces it',
    permission: 'interactions.write',
    action: 'interaction.set_follow_up',
    params: businessParams,
    body: setFollowUpSchema,
    response: businessSchema,
    work: (tx, { params, version, body }) => setFollowUp(tx, params.businessId, version, body),
    etag: ({ version }) => version,
    answer: ({ id }, { actor }) => getBusiness(store.reader, actor.tenantId, id),
  })
}
