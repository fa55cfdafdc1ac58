import { z } from 'zod'
import { newestVersionsFirst, pageQuery } from '../../../http/pagination.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'scanning' })

  route.read({
    url: '/scan-policies',
    id: 'listScanPolicies',
    summary: 'Versions of the scan policy, newest first; without any, the built-in defaults apply',
    permission: 'scanning.read',
    query: z.strictObject(pageQuery),
    response: scanPolicyPageSchema,
    answer: ({ actor: { tenantId }, query }) =>
      newestVersionsFirst({
        store,
        tenantId,
        cursors,
        binding: ['scan-policies', tenantId],
        query,
        fetch: (before, limit) => selectPolicies(store.reader, { tenantId, before, limit }),
        count: (db) => db.selectFrom('scan_policies').select('id').where('tenant_id', '=', tenantId),
      }),
  })

  route.change({
    url: '/scan-policies',
    id: 'createScanPolicy',
    summary: 'Save a new version of the scan policy; another person approves it',
    permission: 'scanning.write_policy',
    action: 'scan_policy.create',
    body: createPolicySchema,
    response: scanPolicySchema,
    status: 201,
    work: (tx, { body }) => createPolicy(tx, body),
    answer: ({ id }, { actor }) => getPolicy(store.reader, actor.tenantId, id),
  })

  route.change({
    url: '/scan-policies/:policyId/approval',
    id: 'approveScanPolicy',
    summary: "Approve another person's version of the scan policy; it applies from now on",
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
    params: policyParams,
    body: approvePolicySchema,
    response: scanPolicySchema,
    work: (tx, { params, body }) => approvePolicy(tx, params.policyId, body.reason),
    answer: ({ id }, { actor }) => getPolicy(store.reader, actor.tenantId, id),
  })
}
