import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { getCandidateRow } from './candidates.queries.ts'
import {
  candidatePageSchema,
  candidateParams,
  candidateSchema,
  candidatesQuery,
  decidedSchema,
  decisionSchema,
  proposeSchema,
  withdrawalSchema,
} from './candidates.schema.ts'
import {
  decideCandidate,
  getCandidate,
  getDecided,
  listCandidates,
  proposeCandidate,
  withdrawCandidate,
} from './candidates.ts'

export const candidateRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'domains' })

  route.read({
    url: '/domain-candidates',
    id: 'listDomainCandidates',
    summary:
      'List the domains that may belong to a business, newest first; the open ones unless another state is asked for',
    permission: 'domains.read',
    query: candidatesQuery,
    response: candidatePageSchema,
    answer: ({ actor, query }) => listCandidates(store, cursors, actor, query),
  })

  route.change({
    url: '/domain-candidates',
    id: 'proposeDomainCandidate',
    summary: 'Propose a domain for a prospect; a person with the permission decides it',
    permission: 'domains.propose',
    action: 'domain_candidate.propose',
    body: proposeSchema,
    response: candidateSchema,
    work: (tx, { body }) => proposeCandidate(tx, body),
    location: ({ id }) => `/domain-candidates/${id}`,
    answer: ({ id }, { actor }) => getCandidate(store, actor, id),
  })

  route.read({
    url: '/domain-candidates/:candidateId',
    id: 'getDomainCandidate',
    summary: 'One candidate with the evidence for and against it; an open one as it is now',
    permission: 'domains.read',
    params: candidateParams,
    response: candidateSchema,
    answer: ({ actor, params }) => getCandidate(store, actor, params.candidateId),
  })

  route.change({
    url: '/domain-candidates/:candidateId/decision',
    id: 'decideDomainCandidate',
    summary:
      'Accept or reject the candidate as it was shown; accepting associates the domain, and adds it to the record only if asked',
    permission: 'domains.decide',
    action: 'domain_candidate.accept',
    refused: {
      action: 'domain_candidate.approval_failed',
      subject: 'domain_candidate',
      decision: 'accept',
      find: async (db, tenantId, { candidateId: id = '' }) => {
        const { business_id: businessId } = await getCandidateRow(db, tenantId, id)
        return { id, businessId }
      },
    },
    params: candidateParams,
    body: decisionSchema,
    response: decidedSchema,
    work: (tx, { params, body }) => decideCandidate(tx, params.candidateId, body),
    answer: (decided, { actor }) => getDecided(store, actor, decided),
  })

  route.change({
    url: '/domain-candidates/:candidateId/withdrawal',
    id: 'withdrawDomainCandidate',
    summary: 'End an accepted association with a reason; the record keeps what was added to it',
    permission: 'domains.decide',
    action: 'domain_candidate.withdraw',
    params: candidateParams,
    body: withdrawalSchema,
    response: decidedSchema,
    work: (tx, { params, body }) => withdrawCandidate(tx, params.candidateId, body.reason),
    answer: (withdrawn, { actor }) => getDecided(store, actor, withdrawn),
  })
}
