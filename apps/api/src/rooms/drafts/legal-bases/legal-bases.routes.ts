import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { addBasisSchema, basisPageSchema, basisParams, basisSchema, withdrawBasisSchema } from './legal-bases.schema.ts'
import { addLegalBasis, getLegalBasis, legalBasesOfBusiness, withdrawLegalBasis } from './legal-bases.ts'

const tags = ['legal bases']

export const legalBasisRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/businesses/:businessId/legal-bases',
    {
      schema: {
        operationId: 'listLegalBases',
        tags,
        summary: 'List the legal bases of one prospect, newest first, including withdrawn ones',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: basisPageSchema },
      },
      config: { permission: 'drafts.read' },
    },
    (request) => legalBasesOfBusiness.list(store, cursors, actorOf(request), request.params.businessId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/legal-bases',
    permission: 'drafts.write',
    action: 'legal_basis.add',
    schema: {
      operationId: 'addLegalBasis',
      tags,
      summary: 'State why a prospect may be written to, and where the proof is',
      params: businessParams,
      headers: idempotencyHeaders,
      body: addBasisSchema,
      response: { 201: basisSchema },
    },
    status: 201,
    work: (tx, { params, body }) => addLegalBasis(tx, params.businessId, body),
    answer: ({ id }, { actor, params }) => getLegalBasis(store, actor, { businessId: params.businessId, id }),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/legal-bases/:basisId/withdrawal',
    permission: 'drafts.write',
    action: 'legal_basis.withdraw',
    schema: {
      operationId: 'withdrawLegalBasis',
      tags,
      summary: 'Withdraw a legal basis; drafts that were approved under it need review',
      params: basisParams,
      headers: idempotencyHeaders,
      body: withdrawBasisSchema,
      response: { 200: basisSchema },
    },
    status: 200,
    work: (tx, { params, body }) =>
      withdrawLegalBasis(tx, { businessId: params.businessId, id: params.basisId, reason: body.reason }),
    answer: ({ id }, { actor, params }) => getLegalBasis(store, actor, { businessId: params.businessId, id }),
  })
}
