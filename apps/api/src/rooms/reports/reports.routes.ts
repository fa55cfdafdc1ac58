import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { requiredIdempotencyHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
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
        summary: 'List reports, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: reportPageSchema },
      },
      config: { permission: 'reports.read' },
    },
    (request) => listReports(store, cursors, actorOf(request).tenantId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/reports',
    permission: 'reports.create',
    action: 'report.request',
    schema: {
      operationId: 'createReport',
      tags: ['reports'],
      summary: 'Request a report over an interval, as of a time; a job computes it',
      headers: requiredIdempotencyHeaders,
      body: createReportSchema,
      response: { 201: reportSchema },
    },
    status: 201,
    lest: 'no report is made twice',
    work: (tx, { body }) => requestReport(tx, body),
    location: ({ id }) => `/reports/${id}`,
    answer: ({ id }, { actor }) => getReport(store.reader, actor.tenantId, id),
  })

  app.get(
    '/reports/:reportId',
    {
      schema: {
        operationId: 'getReport',
        tags: ['reports'],
        summary: 'Get a report: its question, and its figures when they are computed',
        params: reportParams,
        response: { 200: reportSchema },
      },
      config: { permission: 'reports.read' },
    },
    (request) => getReport(store.reader, actorOf(request).tenantId, request.params.reportId),
  )
}
