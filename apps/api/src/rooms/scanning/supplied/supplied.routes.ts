import { requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
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
  const route = createRoutes(app, { store, tag: 'scanning' })
  acceptForms(app)
  app.addHook('onClose', async () => endPageThread())

  // The body is a form with a file, so this hook parses it instead of the JSON parser.
  route.custom({
    method: 'POST',
    url: '/businesses/:businessId/supplied-pages',
    id: 'supplyPage',
    summary: 'Supply one saved page of a prospect: its facts are stored, the page is not',
    permission: 'scanning.supply',
    maxFormBytes: MAX_FORM_BYTES,
    tells: ['location'],
    consumes: ['multipart/form-data'],
    headers: requiredIdempotencyHeaders,
    params: businessParams,
    body: suppliedPageSchema,
    response: scanSchema,
    status: 201,
    preValidation: receivePage,
    handle: async (request, reply) => {
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
      reply.header('location', `/api/v1/scans/${value.id}`)
      return getScan(store, actor, value.id)
    },
  })
}
