import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import { newestVersionsFirst, pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
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

const tags = ['assist']

export const policyRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const now = () => store.clock().toISOString()
  const answer = ({ id }: { id: string }, { actor: { tenantId } }: { actor: { tenantId: string } }) =>
    getPolicy(store.reader, tenantId, id, now())

  app.get(
    '/assist/policies',
    {
      schema: {
        operationId: 'listAssistPolicies',
        tags,
        summary: 'Versions of the assistance policy, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: policyPageSchema },
      },
      config: { permission: 'assist.read' },
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return newestVersionsFirst({
        store,
        tenantId,
        cursors,
        binding: ['assist-policies', tenantId],
        query: request.query,
        fetch: (before, limit) => selectPolicies(store.reader, { tenantId, before, limit, at: now() }),
        count: (db) => db.selectFrom('assist_policies').select('id').where('tenant_id', '=', tenantId),
      })
    },
  )

  app.get(
    '/assist/policies/:assistPolicyId',
    {
      schema: {
        operationId: 'getAssistPolicy',
        tags,
        summary: 'One version of the assistance policy',
        params: policyParams,
        response: { 200: policySchema },
      },
      config: { permission: 'assist.read' },
    },
    (request) => getPolicy(store.reader, actorOf(request).tenantId, request.params.assistPolicyId, now()),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/assist/policies',
    permission: 'assist.configure',
    action: 'assist.policy_create',
    schema: {
      operationId: 'createAssistPolicy',
      tags,
      summary: 'Write a version of the assistance policy, which may be incomplete',
      headers: idempotencyHeaders,
      body: createPolicySchema,
      response: { 201: policySchema },
    },
    status: 201,
    work: (tx, { body }) => createPolicy(tx, body),
    location: ({ id }) => `/assist/policies/${id}`,
    answer,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/assist/policies/:assistPolicyId/submission',
    permission: 'assist.configure',
    action: 'assist.policy_submit',
    schema: {
      operationId: 'submitAssistPolicy',
      tags,
      summary: 'Submit a complete version for review by another person',
      params: policyParams,
      headers: idempotencyHeaders,
      response: { 200: policySchema },
    },
    status: 200,
    work: (tx, { params }) => submitPolicy(tx, params.assistPolicyId),
    answer,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/assist/policies/:assistPolicyId/approvals',
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
    schema: {
      operationId: 'approveAssistPolicy',
      tags,
      summary: "Approve another person's version, until an end of at most 365 days ahead",
      params: policyParams,
      headers: idempotencyHeaders,
      body: approvePolicySchema,
      response: { 200: policySchema },
    },
    status: 200,
    work: (tx, { params, body }) => approvePolicy(tx, params.assistPolicyId, body),
    answer,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/assist/policies/:assistPolicyId/rejections',
    permission: 'assist.approve_policies',
    action: 'assist.policy_reject',
    stepUp: true,
    schema: {
      operationId: 'rejectAssistPolicy',
      tags,
      summary: "Reject another person's version",
      params: policyParams,
      headers: idempotencyHeaders,
      body: rejectPolicySchema,
      response: { 200: policySchema },
    },
    status: 200,
    work: (tx, { params, body }) => rejectPolicy(tx, params.assistPolicyId, body),
    answer,
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/assist/policies/:assistPolicyId/withdrawal',
    permission: 'assist.configure',
    action: 'assist.policy_withdraw',
    schema: {
      operationId: 'withdrawAssistPolicy',
      tags,
      summary: 'Withdraw the approved version; assistance is then disabled',
      params: policyParams,
      headers: idempotencyHeaders,
      body: withdrawPolicySchema,
      response: { 200: policySchema },
    },
    status: 200,
    work: (tx, { params, body }) => withdrawPolicy(tx, params.assistPolicyId, body.reason),
    answer,
  })
}
