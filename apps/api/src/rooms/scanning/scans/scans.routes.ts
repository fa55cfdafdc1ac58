import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { evidenceSchema, getEvidenceForReader } from '../../evidence/evidence.ts'
import { addPageEvidenceSchema } from './page-evidence.schema.ts'
import { addPageEvidence } from './page-evidence.ts'
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

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/page-evidence',
    permission: 'evidence.write',
    action: 'evidence.add',
    schema: {
      operationId: 'addPageEvidence',
      tags,
      summary:
        'Add what one page of a scan shows of the prospect as an observation; facts that are not known are refused',
      params: businessParams,
      headers: idempotencyHeaders,
      body: addPageEvidenceSchema,
      response: { 201: evidenceSchema },
    },
    status: 201,
    work: (tx, { params, body }) => addPageEvidence(tx, params.businessId, body),
    location: ({ id }, { params }) => `/businesses/${params.businessId}/evidence/${id}`,
    answer: (added, { actor }) => getEvidenceForReader({ db: store.reader, keys: store.keys }, actor, added),
  })
}
