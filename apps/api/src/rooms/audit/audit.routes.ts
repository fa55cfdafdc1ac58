import { z } from 'zod'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { recordId } from '../../http/text.ts'
import { invalidField, notFound } from '../../lib/app-error.ts'
import { auditActionNames, auditActions, auditSubjects, auditSubjectTypes, securityActions } from '../facts.ts'
import { findAuditEvent, listAuditEvents, listSecurityEvents } from './audit.queries.ts'
import {
  auditActionsSchema,
  auditEventSchema,
  auditHeadsSchema,
  auditInclusionSchema,
  auditPageSchema,
  auditVerificationSchema,
  listAuditEventsQuery,
  listSecurityEventsQuery,
  verifyAuditChainQuery,
} from './audit.schema.ts'
import { newestHead } from './heads/newest-head.ts'
import { withOwnKeys } from './own-keys.ts'
import { getInclusion } from './proof/inclusion.ts'
import { publicKeyPem } from './public-key.ts'
import { verifyNextEvents } from './verify-chain.ts'

export const auditRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'audit' })

  route.read({
    url: '/audit-events',
    id: 'listAuditEvents',
    summary: 'List audit events, newest first',
    permission: 'audit.read',
    query: listAuditEventsQuery,
    response: auditPageSchema,
    answer: async ({ actor: reader, query }) => {
      if (query.field !== undefined && query.businessId === undefined)
        throw invalidField('businessId', 'required', 'Name the business whose changes of a field to list.')
      const page = await listAuditEvents({ store, cursors, tenantId: reader.tenantId, query })
      return { ...page, items: page.items.map((event) => withOwnKeys(reader, event)) }
    },
  })

  route.read({
    url: '/security-events',
    id: 'listSecurityEvents',
    summary:
      'List security events: accounts, sessions, factors, roles, members, settings and operator commands; newest first',
    permission: 'users.manage',
    query: listSecurityEventsQuery,
    response: auditPageSchema,
    answer: ({ actor, query }) => listSecurityEvents({ store, cursors, tenantId: actor.tenantId, query }),
  })

  route.read({
    url: '/audit-events/verification',
    id: 'verifyAuditChain',
    summary: 'Verify the audit chain and its signed checkpoints, a bounded number of events at a time',
    permission: 'audit.verify',
    query: verifyAuditChainQuery,
    response: auditVerificationSchema,
    answer: ({ actor, query }) => verifyNextEvents(store, actor.tenantId, query.after),
  })

  route.read({
    url: '/audit-heads',
    id: 'listAuditHeads',
    summary: 'Get the signed head of the audit chain, to keep where the server cannot write',
    permission: 'audit.verify',
    response: auditHeadsSchema,
    answer: async ({ actor }) => {
      const head = await newestHead(store, actor.tenantId)
      return { items: head === undefined ? [] : [head], publicKey: publicKeyPem(store) }
    },
  })

  route.read({
    url: '/audit-actions',
    id: 'listAuditActions',
    summary: 'List the actions and the subjects of audit events with their labels',
    permission: null,
    response: auditActionsSchema,
    answer: () => ({
      items: auditActionNames.map((action) => ({
        action,
        label: auditActions[action],
        isSecurity: action in securityActions,
      })),
      subjects: auditSubjectTypes.map((type) => ({ type, label: auditSubjects[type].label })),
    }),
  })

  route.read({
    url: '/audit-events/:id',
    id: 'getAuditEvent',
    summary: 'Get an audit event: actor, time, reason, and the values before and after',
    permission: 'audit.read',
    params: z.object({ id: recordId }),
    response: auditEventSchema,
    answer: async ({ actor: reader, params }) => {
      const event = await findAuditEvent(store.reader, reader.tenantId, params.id)
      if (event === undefined) throw notFound()
      return withOwnKeys(reader, event)
    },
  })

  route.read({
    url: '/audit-events/:id/inclusion',
    id: 'getAuditInclusion',
    summary: 'Get the place of an audit event in the chain: the hashes from it to the next signed checkpoint',
    permission: 'audit.read',
    params: z.object({ id: recordId }),
    response: auditInclusionSchema,
    answer: ({ actor, params }) => getInclusion(store, actor.tenantId, params.id),
  })
}
