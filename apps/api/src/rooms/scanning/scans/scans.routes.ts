import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { getScan, listScans } from './read-scans.ts'
import { listScansQuery, scanPageSchema, scanParams, scanSchema } from './scans.schema.ts'

export const scanRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const tags = ['scanning']

  app.get(
    '/scans',
    {
      schema: {
        operationId: 'listScans',
        tags,
        summary: 'Scans of websites, supplied and fetched, newest first',
        querystring: listScansQuery,
        response: { 200: scanPageSchema },
      },
      config: { permission: 'scanning.read' },
    },
    (request) => listScans(store, cursors, actorOf(request), request.query),
  )

  app.get(
    '/scans/:scanId',
    {
      schema: {
        operationId: 'getScan',
        tags,
        summary: 'One scan with its pages',
        params: scanParams,
        response: { 200: scanSchema },
      },
      config: { permission: 'scanning.read' },
    },
    (request) => getScan(store, actorOf(request), request.params.scanId),
  )
}
