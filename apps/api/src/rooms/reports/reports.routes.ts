import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { getReport } from './reports.queries.ts'
import { createReportSchema, reportPageSchema, reportParams, reportSchema } from './reports.schema.ts'
import { listReports, requestReport } from './reports.ts'

export const reportRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'reports' })

  route.read({
    url: '/reports',
    id: 'listReports',
    summary: 'List reports, newest first',
    permission: 'reports.read',
    query: z.strictObject(pageQuery),
    response: reportPageSchema,
    answer: ({ actor, query }) => listReports(store, cursors, actor.tenantId, query),
  })

  route.change({
    url: '/reports',
    id: 'createReport',
    summary: 'Request a report over an interval, as of a time; a job computes it',
    permission: 'reports.create',
    action: 'report.request',
    body: createReportSchema,
    response: reportSchema,
    requiresKeySoThat: 'no report is made twice',
    work: (tx, { body }) => requestReport(tx, body),
    location: ({ id }) => `/reports/${id}`,
    answer: ({ id }, { actor }) => getReport(store.reader, actor.tenantId, id),
  })

  route.read({
    url: '/reports/:reportId',
    id: 'getReport',
    summary: 'Get a report: its question, and its figures when they are computed',
    permission: 'reports.read',
    params: reportParams,
    response: reportSchema,
    answer: ({ actor, params }) => getReport(store.reader, actor.tenantId, params.reportId),
  })
}
