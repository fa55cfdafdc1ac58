import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { UserActor } from '../../../lib/actor.ts'
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

export const policyRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'draft policies' })
  const answersPolicy = {
    response: policySchema,
    answer: ({ id }: { id: string }, { actor }: { actor: UserActor }) => getPolicy(store, actor, id),
  }

  route.read({
    url: '/draft-policies',
    id: 'listDraftPolicies',
    summary: 'List the versions of draft policies, newest first',
    permission: 'drafts.read',
    query: listPoliciesQuery,
    response: policyPageSchema,
    answer: ({ actor, query }) => listPolicies(store, cursors, actor, query),
  })

  route.read({
    url: '/draft-policies/proposals',
    id: 'getDraftPolicyProposals',
    summary: 'Contents to begin a policy with; not legal advice',
    permission: 'drafts.read',
    response: policyProposalsSchema,
    answer: () => ({ items: [...policyProposals] }),
  })

  route.change({
    url: '/draft-policies',
    id: 'proposeDraftPolicy',
    summary: 'Propose a version of a draft policy; another person approves it',
    permission: 'drafts.configure',
    action: 'draft_policy.propose',
    body: proposePolicySchema,
    status: 201,
    work: (tx, { body }) => proposePolicy(tx, body),
    ...answersPolicy,
  })

  route.change({
    url: '/draft-policies/:policyId/approvals',
    id: 'approveDraftPolicy',
    summary: 'Put a version in force; drafts that were approved under the former one need review',
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
    params: policyParams,
    body: decidePolicySchema,
    work: (tx, { params, body }) => approvePolicy(tx, { id: params.policyId, reason: body.reason }),
    ...answersPolicy,
  })

  route.change({
    url: '/draft-policies/:policyId/rejections',
    id: 'rejectDraftPolicy',
    summary: 'Reject a proposed version',
    permission: 'drafts.approve',
    action: 'draft_policy.reject',
    stepUp: true,
    params: policyParams,
    body: decidePolicySchema,
    work: (tx, { params, body }) => rejectPolicy(tx, { id: params.policyId, reason: body.reason }),
    ...answersPolicy,
  })

  route.change({
    url: '/draft-policies/:policyId/withdrawal',
    id: 'withdrawDraftPolicy',
    summary: 'Take a version out of use; its approved drafts need review',
    permission: 'drafts.approve',
    action: 'draft_policy.withdraw',
    params: policyParams,
    body: decidePolicySchema,
    work: (tx, { params, body }) => withdrawPolicy(tx, { id: params.policyId, reason: body.reason }),
    ...answersPolicy,
  })
}
