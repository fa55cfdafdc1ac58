import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { getPolicyRow, nameOfPolicy } from './policies.queries.ts'
import {
  decidePolicySchema,
  listPoliciesQuery,
  policyPageSchema,
  policyParams,
  policyProposalsSchema,
  policySchema,
  proposePolicySchema,
} from './policies.schema.ts'
import { approvePolicy, getPolicy, listPolicies, proposePolicy, rejectPolicy, withdrawPolicy } from './policies.ts'
import { policyProposals } from './policy-proposals.data.ts'

const tags = ['draft policies']

export const policyRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/draft-policies',
    {
      schema: {
        operationId: 'listDraftPolicies',
        tags,
        summary: 'List the versions of draft policies, newest first',
        querystring: listPoliciesQuery,
        response: { 200: policyPageSchema },
      },
      config: { permission: 'drafts.read' },
    },
    (request) => listPolicies(store, cursors, actorOf(request), request.query),
  )

  app.get(
    '/draft-policies/proposals',
    {
      schema: {
        operationId: 'getDraftPolicyProposals',
        tags,
        summary: 'Contents to begin a policy with; not legal advice',
        response: { 200: policyProposalsSchema },
      },
      config: { permission: 'drafts.read' },
    },
    async () => ({ items: [...policyProposals] }),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/draft-policies',
    permission: 'drafts.configure',
    action: 'draft_policy.propose',
    schema: {
      operationId: 'proposeDraftPolicy',
      tags,
      summary: 'Propose a version of a draft policy; another person approves it',
      headers: idempotencyHeaders,
      body: proposePolicySchema,
      response: { 201: policySchema },
    },
    status: 201,
    work: (tx, { body }) => proposePolicy(tx, body),
    answer: ({ id }, { actor }) => getPolicy(store, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/draft-policies/:policyId/approvals',
    permission: 'drafts.approve',
    action: 'draft_policy.approve',
    stepUp: true,
    refused: {
      action: 'draft_policy.approval_failed',
      subject: 'draft_policy',
      find: async (db, tenantId, { policyId: id = '' }) => ({
        id,
        after: { policy: nameOfPolicy(await getPolicyRow(db, tenantId, id)) },
      }),
    },
    schema: {
      operationId: 'approveDraftPolicy',
      tags,
      summary: 'Put a version in force; drafts that were approved under the former one need review',
      params: policyParams,
      headers: idempotencyHeaders,
      body: decidePolicySchema,
      response: { 200: policySchema },
    },
    status: 200,
    work: (tx, { params, body }) => approvePolicy(tx, { id: params.policyId, reason: body.reason }),
    answer: ({ id }, { actor }) => getPolicy(store, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/draft-policies/:policyId/rejections',
    permission: 'drafts.approve',
    action: 'draft_policy.reject',
    stepUp: true,
    schema: {
      operationId: 'rejectDraftPolicy',
      tags,
      summary: 'Reject a proposed version',
      params: policyParams,
      headers: idempotencyHeaders,
      body: decidePolicySchema,
      response: { 200: policySchema },
    },
    status: 200,
    work: (tx, { params, body }) => rejectPolicy(tx, { id: params.policyId, reason: body.reason }),
    answer: ({ id }, { actor }) => getPolicy(store, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/draft-policies/:policyId/withdrawal',
    permission: 'drafts.approve',
    action: 'draft_policy.withdraw',
    schema: {
      operationId: 'withdrawDraftPolicy',
      tags,
      summary: 'Take a version out of use; its approved drafts need review',
      params: policyParams,
      headers: idempotencyHeaders,
      body: decidePolicySchema,
      response: { 200: policySchema },
    },
    status: 200,
    work: (tx, { params, body }) => withdrawPolicy(tx, { id: params.policyId, reason: body.reason }),
    answer: ({ id }, { actor }) => getPolicy(store, actor, id),
  })
}
