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
  auditPageSchema,
  auditVerificationSchema,
  listAuditEventsQuery,
  listSecurityEventsQuery,
  verifyAuditChainQuery,
} from './audit.schema.ts'
import { withOwnKeys } from './own-keys.ts'
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
}
