import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'contacts' })
  const read = (tenantId: string, id: string) =>
    getContactCandidate({ db: store.reader, keys: store.keys }, tenantId, id, store.clock())

  route.read({
    url: '/contact-candidates',
    id: 'listContactCandidates',
    summary: 'Contact candidates, newest first; those that a suppression matches are in no list',
    permission: 'contacts.read',
    query: listCandidatesQuery,
    response: contactCandidatePageSchema,
    answer: ({ actor, query }) => listContactCandidates(store, cursors, actor.tenantId, query),
  })

  route.read({
    url: '/contact-candidates/:contactCandidateId',
    id: 'getContactCandidate',
    summary: 'One contact candidate with its labels and the pages that state it',
    permission: 'contacts.read',
    params: contactCandidateParams,
    response: contactCandidateSchema,
    answer: ({ actor, params }) => read(actor.tenantId, params.contactCandidateId),
  })

  route.change({
    url: '/contact-candidates/:contactCandidateId/decision',
    id: 'decideContactCandidate',
    summary: 'Accept a contact candidate as evidence, reject it, or release it from quarantine, on what was seen of it',
    permission: 'contacts.decide',
    action: 'contact_candidate.accept',
    params: contactCandidateParams,
    body: contactDecisionSchema,
    response: contactCandidateSchema,
    requiresKeySoThat: 'no candidate is decided twice',
    work: (tx, { params, body }) => decideContact(tx, params.contactCandidateId, body),
    answer: ({ id }, { actor }) => read(actor.tenantId, id),
  })
}
