import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
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
  const tags = ['domains']

  app.get(
    '/domain-candidates',
    {
      schema: {
        operationId: 'listDomainCandidates',
        tags,
        summary:
          'List the domains that may belong to a business, newest first; the open ones unless another state is asked for',
        querystring: candidatesQuery,
        response: { 200: candidatePageSchema },
      },
      config: { permission: 'domains.read' },
    },
    (request) => listCandidates(store, cursors, actorOf(request), request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/domain-candidates',
    permission: 'domains.propose',
    action: 'domain_candidate.propose',
    schema: {
      operationId: 'proposeDomainCandidate',
      tags,
      summary: 'Propose a domain for a prospect; a person with the permission decides it',
      headers: idempotencyHeaders,
      body: proposeSchema,
      response: { 201: candidateSchema },
    },
    status: 201,
    work: (tx, { body }) => proposeCandidate(tx, body),
    location: ({ id }) => `/domain-candidates/${id}`,
    answer: ({ id }, { actor }) => getCandidate(store, actor, id),
  })

  app.get(
    '/domain-candidates/:candidateId',
    {
      schema: {
        operationId: 'getDomainCandidate',
        tags,
        summary: 'One candidate with the evidence for and against it; an open one as it is now',
        params: candidateParams,
        response: { 200: candidateSchema },
      },
      config: { permission: 'domains.read' },
    },
    (request) => getCandidate(store, actorOf(request), request.params.candidateId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/domain-candidates/:candidateId/decision',
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
    schema: {
      operationId: 'decideDomainCandidate',
      tags,
      summary:
        'Accept or reject the candidate as it was shown; accepting associates the domain, and adds it to the record only if asked',
      params: candidateParams,
      headers: idempotencyHeaders,
      body: decisionSchema,
      response: { 200: decidedSchema },
    },
    status: 200,
    work: (tx, { params, body }) => decideCandidate(tx, params.candidateId, body),
    answer: (decided, { actor }) => getDecided(store, actor, decided),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/domain-candidates/:candidateId/withdrawal',
    permission: 'domains.decide',
    action: 'domain_candidate.withdraw',
    schema: {
      operationId: 'withdrawDomainCandidate',
      tags,
      summary: 'End an accepted association with a reason; the record keeps what was added to it',
      params: candidateParams,
      headers: idempotencyHeaders,
      body: withdrawalSchema,
      response: { 200: decidedSchema },
    },
    status: 200,
    work: (tx, { params, body }) => withdrawCandidate(tx, params.candidateId, body.reason),
    answer: (withdrawn, { actor }) => getDecided(store, actor, withdrawn),
  })
}
