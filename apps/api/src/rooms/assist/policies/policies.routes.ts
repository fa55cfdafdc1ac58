import { z } from 'zod'
import { newestVersionsFirst, pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { getPolicy, selectPolicies } from './policies.queries.ts'
import {
  approvePolicySchema,
  createPolicySchema,
  policyPageSchema,
  policyParams,
  policySchema,
  rejectPolicySchema,
  withdrawPolicySchema,
} from './policies.schema.ts'
import { approvePolicy, createPolicy, rejectPolicy, submitPolicy, withdrawPolicy } from './policies.ts'

export const policyRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'assist' })
  const now = () => store.clock().toISOString()
  const answersPolicy = {
    response: policySchema,
    answer: ({ id }: { id: string }, { actor }: { actor: UserActor }) =>
      getPolicy(store.reader, actor.tenantId, id, now()),
  }

  route.read({
    url: '/assist/policies',
    id: 'listAssistPolicies',
    summary: 'Versions of the assistance policy, newest first',
    permission: 'assist.read',
    query: z.strictObject(pageQuery),
    response: policyPageSchema,
    answer: ({ actor: { tenantId }, query }) =>
      newestVersionsFirst({
        store,
        tenantId,
        cursors,
        binding: ['assist-policies', tenantId],
        query,
        fetch: (before, limit) => selectPolicies(store.reader, { tenantId, before, limit, at: now() }),
        count: (db) => db.selectFrom('assist_policies').select('id').where('tenant_id', '=', tenantId),
      }),
  })

  route.read({
    url: '/assist/policies/:assistPolicyId',
    id: 'getAssistPolicy',
    summary: 'One version of the assistance policy',
    permission: 'assist.read',
    params: policyParams,
    response: policySchema,
    answer: ({ actor, params }) => getPolicy(store.reader, actor.tenantId, params.assistPolicyId, now()),
  })

  route.change({
    url: '/assist/policies',
    id: 'createAssistPolicy',
    summary: 'Write a version of the assistance policy, which may be incomplete',
    permission: 'assist.configure',
    action: 'assist.policy_create',
    body: createPolicySchema,
    work: (tx, { body }) => createPolicy(tx, body),
    location: ({ id }) => `/assist/policies/${id}`,
    ...answersPolicy,
  })

  route.change({
    url: '/assist/policies/:assistPolicyId/submission',
    id: 'submitAssistPolicy',
    summary: 'Submit a complete version for review by another person',
    permission: 'assist.configure',
    action: 'assist.policy_submit',
    params: policyParams,
    work: (tx, { params }) => submitPolicy(tx, params.assistPolicyId),
    ...answersPolicy,
  })

  route.change({
    url: '/assist/policies/:assistPolicyId/approvals',
    id: 'approveAssistPolicy',
    summary: "Approve another person's version, until an end of at most 365 days ahead",
    permission: 'assist.approve_policies',
    action: 'assist.policy_approve',
    stepUp: true,
    refused: {
      action: 'assist.policy_approval_failed',
      subject: 'assist_policy',
      find: async (db, tenantId, { assistPolicyId: id = '' }) => {
        const { version } = await getPolicy(db, tenantId, id, store.clock().toISOString())
        return { id, after: { version } }
      },
    },
    params: policyParams,
    body: approvePolicySchema,
    work: (tx, { params, body }) => approvePolicy(tx, params.assistPolicyId, body),
    ...answersPolicy,
  })

  route.change({
    url: '/assist/policies/:assistPolicyId/rejections',
    id: 'rejectAssistPolicy',
    summary: "Reject another person's version",
    permission: 'assist.approve_policies',
    action: 'assist.policy_reject',
    stepUp: true,
    params: policyParams,
    body: rejectPolicySchema,
    work: (tx, { params, body }) => rejectPolicy(tx, params.assistPolicyId, body),
    ...answersPolicy,
  })

  route.change({
    url: '/assist/policies/:assistPolicyId/withdrawal',
    id: 'withdrawAssistPolicy',
    summary: 'Withdraw the approved version; assistance is then disabled',
    permission: 'assist.configure',
    action: 'assist.policy_withdraw',
    params: policyParams,
    body: withdrawPolicySchema,
    work: (tx, { params, body }) => withdrawPolicy(tx, params.assistPolicyId, body.reason),
    ...answersPolicy,
  })
}
