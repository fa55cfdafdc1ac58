import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { businessParams } from '../businesses/businesses.ts'
import {
  addEvidenceSchema,
  evidencePageSchema,
  evidenceParams,
  evidenceSchema,
  factsSchema,
} from './evidence.schema.ts'
import { addEvidence, evidenceOfBusiness, getEvidenceForReader, listFacts } from './evidence.ts'

export const evidenceRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const asker = { db: store.reader, keys: store.keys }

  app.get(
    '/businesses/:businessId/evidence',
    {
      schema: {
        operationId: 'listEvidence',
        tags: ['evidence'],
        summary: 'List the observations of one prospect, newest first, including superseded ones',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: evidencePageSchema },
      },
      config: { permission: 'evidence.read' },
    },
    (request) => evidenceOfBusiness.list(store, cursors, actorOf(request), request.params.businessId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/evidence',
    permission: 'evidence.write',
    action: 'evidence.add',
    schema: {
      operationId: 'addEvidence',
      tags: ['evidence'],
      summary: 'Add an observation with its source; a correction supersedes an earlier one',
      params: businessParams,
      headers: idempotencyHeaders,
      body: addEvidenceSchema,
      response: { 201: evidenceSchema },
    },
    status: 201,
    work: (tx, { params, body }) => addEvidence(tx, params.businessId, body),
    location: ({ id }, { params }) => `/businesses/${params.businessId}/evidence/${id}`,
    answer: (added, { actor }) => getEvidenceForReader(asker, actor, added),
  })

  app.get(
    '/businesses/:businessId/evidence/:evidenceId',
    {
      schema: {
        operationId: 'getEvidence',
        tags: ['evidence'],
        summary: 'One observation',
        params: evidenceParams,
        response: { 200: evidenceSchema },
      },
      config: { permission: 'evidence.read' },
    },
    (request) => {
      const { businessId, evidenceId: id } = request.params
      return getEvidenceForReader(asker, actorOf(request), { businessId, id })
    },
  )

  app.get(
    '/businesses/:businessId/facts',
    {
      schema: {
        operationId: 'listFacts',
        tags: ['evidence'],
        summary: 'List the values of the record with the evidence for and against each',
        params: businessParams,
        response: { 200: factsSchema },
      },
      config: { permission: 'evidence.read' },
    },
    async (request) => ({ items: await listFacts(store, actorOf(request), request.params.businessId) }),
  )
}
