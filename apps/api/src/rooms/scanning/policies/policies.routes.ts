import { z } from 'zod'
import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import { newestVersionsFirst, pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { selectPolicies } from './policies.queries.ts'
import {
  approvePolicySchema,
  createPolicySchema,
  policyParams,
  scanPolicyPageSchema,
  scanPolicySchema,
} from './policies.schema.ts'
import { approvePolicy, createPolicy, getPolicy } from './policies.ts'

export const policyRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const tags = ['scanning']

  app.get(
    '/scan-policies',
    {
      schema: {
        operationId: 'listScanPolicies',
        tags,
        summary: 'Versions of the scan policy, newest first; without any, the built-in defaults apply',
        querystring: z.strictObject(pageQuery),
        response: { 200: scanPolicyPageSchema },
      },
      config: { permission: 'scanning.read' },
    },
    (request) => {
      const { tenantId } = actorOf(request)
      return newestVersionsFirst({
        store,
        tenantId,
        cursors,
        binding: ['scan-policies', tenantId],
        query: request.query,
        fetch: (before, limit) => selectPolicies(store.reader, { tenantId, before, limit }),
        count: (db) => db.selectFrom('scan_policies').select('id').where('tenant_id', '=', tenantId),
      })
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/scan-policies',
    permission: 'scanning.write_policy',
    action: 'scan_policy.create',
    schema: {
      operationId: 'createScanPolicy',
      tags,
      summary: 'Save a new version of the scan policy; another person approves it',
      headers: idempotencyHeaders,
      body: createPolicySchema,
      response: { 201: scanPolicySchema },
    },
    status: 201,
    work: (tx, { body }) => createPolicy(tx, body),
    answer: ({ id }, { actor }) => getPolicy(store.reader, actor.tenantId, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/scan-policies/:policyId/approval',
    permission: 'scanning.approve_policy',
    action: 'scan_policy.approve',
    stepUp: true,
    refused: {
      action: 'scan_policy.approval_failed',
      subject: 'scan_policy',
      find: async (db, tenantId, { policyId: id = '' }) => {
        const { version } = await getPolicy(db, tenantId, id)
        return { id, after: { version } }
      },
    },
    schema: {
      operationId: 'approveScanPolicy',
      tags,
      summary: "Approve another person's version of the scan policy; it applies from now on",
      params: policyParams,
      headers: idempotencyHeaders,
      body: approvePolicySchema,
      response: { 200: scanPolicySchema },
    },
    status: 200,
    work: (tx, { params, body }) => approvePolicy(tx, params.policyId, body.reason),
    answer: ({ id }, { actor }) => getPolicy(store.reader, actor.tenantId, id),
  })
}
