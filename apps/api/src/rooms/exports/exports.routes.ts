import { z } from 'zod'
import { isHead } from '../../http/head.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { actorOf } from '../../http/session-guard.ts'
import { createExportSchema, exportPageSchema, exportParams, exportSchema } from './exports.schema.ts'
import { getExport, listExports, openContent, requestExport } from './exports.ts'

export const exportRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'exports' })

  route.read({
    url: '/exports',
    id: 'listExports',
    summary: 'List exports with the status of their files, newest first',
    permission: 'exports.read',
    query: z.strictObject(pageQuery),
    response: exportPageSchema,
    answer: ({ actor, query }) => listExports(store, cursors, actor.tenantId, query),
  })

  route.change({
    url: '/exports',
    id: 'createExport',
    summary: 'Request an export of prospects, of the figures of a report or of the audit; a job writes the file',
    permission: 'exports.create',
    action: 'export.request',
    stepUp: true,
    body: createExportSchema,
    response: exportSchema,
    requiresKeySoThat: 'no file is written twice',
    work: (tx, { actor, body }) => requestExport(tx, actor, body),
    location: ({ id }) => `/exports/${id}`,
    answer: ({ id }, { actor }) => getExport(store, actor.tenantId, id),
  })

  route.read({
    url: '/exports/:exportId',
    id: 'getExport',
    summary: 'Get an export: its parameters, its progress, and the content of its file',
    permission: 'exports.read',
    params: exportParams,
    response: exportSchema,
    answer: ({ actor, params }) => getExport(store, actor.tenantId, params.exportId),
  })

  route.custom({
    method: 'GET',
    url: '/exports/:exportId/content',
    id: 'getExportContent',
    summary: 'Download the file, after the suppression gate has checked it again; recorded in the audit',
    permission: 'exports.read',
    stepUp: true,
    produces: ['text/csv', 'application/x-ndjson'],
    params: exportParams,
    response: z.unknown().meta({ type: 'string', format: 'binary' }),
    handle: async (request, reply) => {
      const { exportId } = request.params
      const { name, bytes, type, stream } = await openContent(store, actorOf(request), exportId, isHead(request))
      reply.type(type).header('content-length', bytes).header('content-disposition', `attachment; filename="${name}"`)
      return reply.send(stream)
    },
  })
}
