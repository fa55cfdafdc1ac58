import { z } from 'zod'
import { answerChange, requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { change } from '../../store/change/change.ts'
import { getReport } from './reports.queries.ts'
import { createReportSchema, reportPageSchema, reportParams, reportSchema } from './reports.schema.ts'
import { listReports, requestReport } from './reports.ts'

export const reportRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/reports',
    {
      schema: {
        operationId: 'listReports',
        tags: ['reports'],
        summary: 'The reports of the tenant, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: reportPageSchema },
      },
      config: { permission: 'reports.read' },
    },
    (request) => listReports(store, cursors, actorOf(request).tenantId, request.query),
  )

  app.post(
    '/reports',
    {
      schema: {
        operationId: 'createReport',
        tags: ['reports'],
        summary: 'Ask for a report over an interval, as of a time; a job makes it',
        headers: requiredIdempotencyHeaders,
        body: createReportSchema,
        response: { 201: reportSchema },
      },
      config: { permission: 'reports.create', tells: ['location'] },
    },
    async (request, reply) => {
      const idempotency = requiredIdempotencyOf(request, 'no report is made twice')
      const actor = actorOf(request)
      const options = { permission: 'reports.create', action: 'report.request', idempotency } as const
      const { value, replayed } = await change(store, actor, options, (tx) => requestReport(tx, request.body))
      reply.header('location', `/api/v1/reports/${value.id}`)
      return answerChange(reply, 201, { value: await getReport(store.reader, actor.tenantId, value.id), replayed })
    },
  )

  app.get(
    '/reports/:reportId',
    {
      schema: {
        operationId: 'getReport',
        tags: ['reports'],
        summary: 'One report: what was asked, and its figures when they are made',
        params: reportParams,
        response: { 200: reportSchema },
      },
      config: { permission: 'reports.read' },
    },
    (request) => getReport(store.reader, actorOf(request).tenantId, request.params.reportId),
  )
}
