import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { contactExtraction } from '../contacts.jobs.ts'
import { endContactThread } from '../reading/run-contact-reading.ts'
import {
  extractionPageSchema,
  extractionParams,
  extractionSchema,
  listExtractionsQuery,
  requestExtractionSchema,
} from './extractions.schema.ts'
import { getExtraction, listExtractions } from './read-extractions.ts'
import { requestExtraction } from './request-extraction.ts'

const statuses = { accepted: 202, deferred: 201 } as const

export const extractionRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'contacts' })

  app.addHook('onClose', async () => endContactThread())

  route.change({
    url: '/extractions',
    id: 'requestExtraction',
    summary: 'Extract contacts from pages in memory: 202 and a job, or 201 with a deferred or blocked extraction',
    permission: 'contacts.extract',
    action: 'extraction.request',
    body: requestExtractionSchema,
    response: { 201: extractionSchema, 202: extractionSchema },
    requiresKeySoThat: 'no page is read twice',
    work: (tx, { body }) => requestExtraction(tx, store, contactExtraction, body),
    status: ({ answer }) => statuses[answer],
    location: ({ id }) => `/extractions/${id}`,
    answer: ({ id }, { actor }) => getExtraction(store, actor, id),
  })

  route.read({
    url: '/extractions',
    id: 'listExtractions',
    summary: 'Extractions with their counts by rule, newest first',
    permission: 'contacts.read_counts',
    query: listExtractionsQuery,
    response: extractionPageSchema,
    answer: ({ actor, query }) => listExtractions(store, cursors, actor, query),
  })

  route.read({
    url: '/extractions/:extractionId',
    id: 'getExtraction',
    summary: 'One extraction with its counts by rule',
    permission: 'contacts.read_counts',
    params: extractionParams,
    response: extractionSchema,
    answer: ({ actor, params }) => getExtraction(store, actor, params.extractionId),
  })
}
