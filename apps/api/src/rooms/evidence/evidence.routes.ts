import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'evidence' })
  const asker = { db: store.reader, keys: store.keys }

  route.read({
    url: '/businesses/:businessId/evidence',
    id: 'listEvidence',
    summary: 'List the observations of one prospect, newest first, including superseded ones',
    permission: 'evidence.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: evidencePageSchema,
    answer: ({ actor, params, query }) => evidenceOfBusiness.list(store, cursors, actor, params.businessId, query),
  })

  route.change({
    url: '/businesses/:businessId/evidence',
    id: 'addEvidence',
    summary: 'Add an observation with its source; a correction supersedes an earlier one',
    permission: 'evidence.write',
    action: 'evidence.add',
    params: businessParams,
    body: addEvidenceSchema,
    response: evidenceSchema,
    work: (tx, { params, body }) => addEvidence(tx, params.businessId, body),
    location: ({ id }, { params }) => `/businesses/${params.businessId}/evidence/${id}`,
    answer: (added, { actor }) => getEvidenceForReader(asker, actor, added),
  })

  route.read({
    url: '/businesses/:businessId/evidence/:evidenceId',
    id: 'getEvidence',
    summary: 'One observation',
    permission: 'evidence.read',
    params: evidenceParams,
    response: evidenceSchema,
    answer: ({ actor, params }) => {
      const { businessId, evidenceId: id } = params
      return getEvidenceForReader(asker, actor, { businessId, id })
    },
  })

  route.read({
    url: '/businesses/:businessId/facts',
    id: 'listFacts',
    summary: 'List the values of the record with the evidence for and against each',
    permission: 'evidence.read',
    params: businessParams,
    response: factsSchema,
    answer: async ({ actor, params }) => ({ items: await listFacts(store, actor, params.businessId) }),
  })
}
