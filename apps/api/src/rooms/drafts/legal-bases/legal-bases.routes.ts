import { z } from 'zod'
import { pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { addBasisSchema, basisPageSchema, basisParams, basisSchema, withdrawBasisSchema } from './legal-bases.schema.ts'
import { addLegalBasis, getLegalBasis, legalBasesOfBusiness, withdrawLegalBasis } from './legal-bases.ts'

export const legalBasisRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'legal bases' })

  route.read({
    url: '/businesses/:businessId/legal-bases',
    id: 'listLegalBases',
    summary: 'List the legal bases of one prospect, newest first, including withdrawn ones',
    permission: 'drafts.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: basisPageSchema,
    answer: ({ actor, params, query }) => legalBasesOfBusiness.list(store, cursors, actor, params.businessId, query),
  })

  route.change({
    url: '/businesses/:businessId/legal-bases',
    id: 'addLegalBasis',
    summary: 'State why a prospect may be written to, and where the proof is',
    permission: 'drafts.write',
    action: 'legal_basis.add',
    params: businessParams,
    body: addBasisSchema,
    response: basisSchema,
    status: 201,
    work: (tx, { params, body }) => addLegalBasis(tx, params.businessId, body),
    answer: ({ id }, { actor, params }) => getLegalBasis(store, actor, { businessId: params.businessId, id }),
  })

  route.change({
    url: '/businesses/:businessId/legal-bases/:basisId/withdrawal',
    id: 'withdrawLegalBasis',
    summary: 'Withdraw a legal basis; drafts that were approved under it need review',
    permission: 'drafts.write',
    action: 'legal_basis.withdraw',
    params: basisParams,
    body: withdrawBasisSchema,
    response: basisSchema,
    work: (tx, { params, body }) =>
      withdrawLegalBasis(tx, { businessId: params.businessId, id: params.basisId, reason: body.reason }),
    answer: ({ id }, { actor, params }) => getLegalBasis(store, actor, { businessId: params.businessId, id }),
  })
}
