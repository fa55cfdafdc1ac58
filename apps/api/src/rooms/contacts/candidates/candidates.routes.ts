import { changeRoute } from '../../../http/change-route.ts'
import { requiredIdempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import {
  contactCandidatePageSchema,
  contactCandidateParams,
  contactCandidateSchema,
  contactDecisionSchema,
  listCandidatesQuery,
} from './candidates.schema.ts'
import { decideContact } from './decide-candidate.ts'
import { getContactCandidate, listContactCandidates } from './read-candidates.ts'

export const contactCandidateRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const tags = ['contacts']
  const read = (tenantId: string, id: string) =>
    getContactCandidate({ db: store.reader, keys: store.keys }, tenantId, id, store.clock())

  app.get(
    '/contact-candidates',
    {
      schema: {
        operationId: 'listContactCandidates',
        tags,
        summary: 'Contact candidates, newest first; those that a suppression matches are in no list',
        querystring: listCandidatesQuery,
        response: { 200: contactCandidatePageSchema },
      },
      config: { permission: 'contacts.read' },
    },
    (request) => listContactCandidates(store, cursors, actorOf(request).tenantId, request.query),
  )

  app.get(
    '/contact-candidates/:contactCandidateId',
    {
      schema: {
        operationId: 'getContactCandidate',
        tags,
        summary: 'One contact candidate with its labels and the pages that state it',
        params: contactCandidateParams,
        response: { 200: contactCandidateSchema },
      },
      config: { permission: 'contacts.read' },
    },
    (request) => read(actorOf(request).tenantId, request.params.contactCandidateId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/contact-candidates/:contactCandidateId/decision',
    permission: 'contacts.decide',
    action: 'contact_candidate.accept',
    schema: {
      operationId: 'decideContactCandidate',
      tags,
      summary:
        'Accept a contact candidate as evidence, reject it, or release it from quarantine, on what was seen of it',
      params: contactCandidateParams,
      headers: requiredIdempotencyHeaders,
      body: contactDecisionSchema,
      response: { 200: contactCandidateSchema },
    },
    status: 200,
    lest: 'no candidate is decided twice',
    work: (tx, { params, body }) => decideContact(tx, params.contactCandidateId, body),
    answer: ({ id }, { actor }) => read(actor.tenantId, id),
  })
}
