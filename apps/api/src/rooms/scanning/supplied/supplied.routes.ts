import { requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { sha256OfBytes } from '../../../lib/hashing.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { endPageThread } from '../pages/run-reading.ts'
import { getScan } from '../scans/read-scans.ts'
import { scanSchema } from '../scans/scans.schema.ts'
import { acceptForms, MAX_FORM_BYTES, receivePage } from './receive-page.ts'
import { suppliedPageSchema } from './supplied.schema.ts'
import { supplyPage } from './supply-page.ts'

export const suppliedRoutes: RoomRoutes = async (app, { store }) => {
  acceptForms(app)
  app.addHook('onClose', async () => endPageThread())

  // The body is a form with a file, so this hook parses it instead of the JSON parser.
  app.post(
    '/businesses/:businessId/supplied-pages',
    {
      schema: {
        operationId: 'supplyPage',
        tags: ['scanning'],
        summary: 'Supply one saved page of a prospect: its facts are stored, the page is not',
        params: businessParams,
        headers: requiredIdempotencyHeaders,
        consumes: ['multipart/form-data'],
        body: suppliedPageSchema,
        response: { 201: scanSchema },
      },
      config: { permission: 'scanning.supply', tells: ['location'], maxFormBytes: MAX_FORM_BYTES },
      preValidation: receivePage,
    },
    async (request, reply) => {
      const actor = actorOf(request)
      const { page, ...about } = request.body
      const options = {
        permission: 'scanning.supply',
        action: 'page.supply',
        idempotency: requiredIdempotencyOf(request, 'no page is supplied twice', {
          ...about,
          page: sha256OfBytes(page),
        }),
      } as const
      const { value, replayed } = await supplyPage(store, actor, options, request.params.businessId, request.body)
      if (replayed) reply.header('idempotency-replayed', 'true')
      return reply
        .code(201)
        .header('location', `/api/v1/scans/${value.id}`)
        .send(await getScan(store, actor, value.id))
    },
  )
}
