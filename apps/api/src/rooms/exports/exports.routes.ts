import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { requiredIdempotencyHeaders } from '../../http/conditional.ts'
import { isHead } from '../../http/head.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { createExportSchema, exportPageSchema, exportParams, exportSchema } from './exports.schema.ts'
import { getExport, listExports, openContent, requestExport } from './exports.ts'

export const exportRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/exports',
    {
      schema: {
        operationId: 'listExports',
        tags: ['exports'],
        summary: 'List exports with the status of their files, newest first',
        querystring: z.strictObject(pageQuery),
        response: { 200: exportPageSchema },
      },
      config: { permission: 'exports.read' },
    },
    (request) => listExports(store, cursors, actorOf(request).tenantId, request.query),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/exports',
    permission: 'exports.create',
    action: 'export.request',
    stepUp: true,
    schema: {
      operationId: 'createExport',
      tags: ['exports'],
      summary: 'Request an export of prospects or of the figures of a report; a job writes the file',
      headers: requiredIdempotencyHeaders,
      body: createExportSchema,
      response: { 201: exportSchema },
    },
    status: 201,
    lest: 'no file is written twice',
    work: (tx, { actor, body }) => requestExport(tx, actor, body),
    location: ({ id }) => `/exports/${id}`,
    answer: ({ id }, { actor }) => getExport(store, actor.tenantId, id),
  })

  app.get(
    '/exports/:exportId',
    {
      schema: {
        operationId: 'getExport',
        tags: ['exports'],
        summary: 'Get an export: its parameters, its progress, and the content of its file',
        params: exportParams,
        response: { 200: exportSchema },
      },
      config: { permission: 'exports.read' },
    },
    (request) => getExport(store, actorOf(request).tenantId, request.params.exportId),
  )

  app.get(
    '/exports/:exportId/content',
    {
      schema: {
        operationId: 'getExportContent',
        tags: ['exports'],
        summary: 'Download the file, after the suppression gate has checked it again; recorded in the audit',
        produces: ['text/csv', 'application/x-ndjson'],
        params: exportParams,
        response: { 200: z.unknown().meta({ type: 'string', format: 'binary' }) },
      },
      config: { permission: 'exports.read', stepUp: true },
    },
    async (request, reply) => {
      const { exportId } = request.params
      const { name, bytes, type, stream } = await openContent(store, actorOf(request), exportId, isHead(request))
      reply.type(type).header('content-length', bytes).header('content-disposition', `attachment; filename="${name}"`)
      return reply.send(stream)
    },
  )
}
