import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { evidenceSchema, getEvidenceForReader } from '../../evidence/evidence.ts'
import { addPageEvidenceSchema } from './page-evidence.schema.ts'
import { addPageEvidence } from './page-evidence.ts'
import { getScan, listScans } from './read-scans.ts'
import { listScansQuery, scanPageSchema, scanParams, scanSchema } from './scans.schema.ts'

export const scanRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'scanning' })

  route.read({
    url: '/scans',
    id: 'listScans',
    summary: 'Scans of websites, supplied and fetched, newest first',
    permission: 'scanning.read',
    query: listScansQuery,
    response: scanPageSchema,
    answer: ({ actor, query }) => listScans(store, cursors, actor, query),
  })

  route.read({
    url: '/scans/:scanId',
    id: 'getScan',
    summary: 'One scan with its pages',
    permission: 'scanning.read',
    params: scanParams,
    response: scanSchema,
    answer: ({ actor, params }) => getScan(store, actor, params.scanId),
  })

  route.change({
    url: '/businesses/:businessId/page-evidence',
    id: 'addPageEvidence',
    summary:
      'Add what one page of a scan shows of the prospect as an observation; facts that are not known are refused',
    permission: 'evidence.write',
    action: 'evidence.add',
    params: businessParams,
    body: addPageEvidenceSchema,
    response: evidenceSchema,
    work: (tx, { params, body }) => addPageEvidence(tx, params.businessId, body),
    location: ({ id }, { params }) => `/businesses/${params.businessId}/evidence/${id}`,
    answer: (added, { actor }) => getEvidenceForReader({ db: store.reader, keys: store.keys }, actor, added),
  })
}
