import { requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { change } from '../../../store/change/change.ts'
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
  const tags = ['contacts']
  app.addHook('onClose', async () => endContactThread())

  // Two statuses: a job, or an extraction that cannot run now.
  app.post(
    '/extractions',
    {
      schema: {
        operationId: 'requestExtraction',
        tags,
        summary: 'Extract contacts from pages in memory: 202 and a job, or 201 with a deferred or blocked extraction',
        headers: requiredIdempotencyHeaders,
        body: requestExtractionSchema,
        response: { 201: extractionSchema, 202: extractionSchema },
      },
      config: { permission: 'contacts.extract', tells: ['location'] },
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const idempotency = requiredIdempotencyOf(request, 'no page is read twice')
      const options = { permission: 'contacts.extract', action: 'extraction.request', idempotency } as const
      const { value, replayed } = await change(store, actor, options, (tx) =>
        requestExtraction(tx, store, contactExtraction, request.body),
      )
      const extraction = await getExtraction(store, actor, value.id)
      if (replayed) reply.header('idempotency-replayed', 'true')
      return reply.code(statuses[value.answer]).header('location', `/api/v1/extractions/${value.id}`).send(extraction)
    },
  )

  app.get(
    '/extractions',
    {
      schema: {
        operationId: 'listExtractions',
        tags,
        summary: 'Extractions with their counts by rule, newest first',
        querystring: listExtractionsQuery,
        response: { 200: extractionPageSchema },
      },
      config: { permission: 'contacts.read_counts' },
    },
    (request) => listExtractions(store, cursors, actorOf(request), request.query),
  )

  app.get(
    '/extractions/:extractionId',
    {
      schema: {
        operationId: 'getExtraction',
        tags,
        summary: 'One extraction with its counts by rule',
        params: extractionParams,
        response: { 200: extractionSchema },
      },
      config: { permission: 'contacts.read_counts' },
    },
    (request) => getExtraction(store, actorOf(request), request.params.extractionId),
  )
}
