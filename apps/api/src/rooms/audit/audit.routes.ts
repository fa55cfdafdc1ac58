import { z } from 'zod'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { recordId } from '../../http/text.ts'
import { notFound } from '../../lib/app-error.ts'
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
  app.get(
    '/audit-events',
    {
      config: { permission: 'audit.read' },
      schema: {
        operationId: 'listAuditEvents',
        tags: ['audit'],
        summary: 'List audit events, newest first',
        querystring: listAuditEventsQuery,
        response: { 200: auditPageSchema },
      },
    },
    async (request) => {
      const reader = actorOf(request)
      const page = await listAuditEvents({ store, cursors, tenantId: reader.tenantId, query: request.query })
      return { ...page, items: page.items.map((event) => withOwnKeys(reader, event)) }
    },
  )

  app.get(
    '/security-events',
    {
      config: { permission: 'users.manage' },
      schema: {
        operationId: 'listSecurityEvents',
        tags: ['audit'],
        summary:
          'List security events: accounts, sessions, factors, roles, members, settings and operator commands; newest first',
        querystring: listSecurityEventsQuery,
        response: { 200: auditPageSchema },
      },
    },
    (request) => listSecurityEvents({ store, cursors, tenantId: actorOf(request).tenantId, query: request.query }),
  )

  app.get(
    '/audit-events/verification',
    {
      config: { permission: 'audit.verify' },
      schema: {
        operationId: 'verifyAuditChain',
        tags: ['audit'],
        summary: 'Verify the audit chain and its signed checkpoints, a bounded number of events at a time',
        querystring: verifyAuditChainQuery,
        response: { 200: auditVerificationSchema },
      },
    },
    (request) => verifyNextEvents(store, actorOf(request).tenantId, request.query.after),
  )

  app.get(
    '/audit-actions',
    {
      config: { permission: null },
      schema: {
        operationId: 'listAuditActions',
        tags: ['audit'],
        summary: 'List the actions and the subjects of audit events with their labels',
        response: { 200: auditActionsSchema },
      },
    },
    () => ({
      items: auditActionNames.map((action) => ({
        action,
        label: auditActions[action],
        isSecurity: action in securityActions,
      })),
      subjects: auditSubjectTypes.map((type) => ({ type, label: auditSubjects[type].label })),
    }),
  )

  app.get(
    '/audit-events/:id',
    {
      config: { permission: 'audit.read' },
      schema: {
        operationId: 'getAuditEvent',
        summary: 'Get an audit event: actor, time, reason, and the values before and after',
        tags: ['audit'],
        params: z.object({ id: recordId }),
        response: { 200: auditEventSchema },
      },
    },
    async (request) => {
      const reader = actorOf(request)
      const event = await findAuditEvent(store.reader, reader.tenantId, request.params.id)
      if (event === undefined) throw notFound()
      return withOwnKeys(reader, event)
    },
  )
}
