import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { enableSchema, readinessSchema } from './enablement.schema.ts'
import { readReadiness, setEnablement } from './enablement.ts'

export const enablementRoutes: RoomRoutes = async (app, { store }) => {
  const tags = ['contacts']

  app.get(
    '/extraction/readiness',
    {
      schema: {
        operationId: 'getExtractionReadiness',
        tags,
        summary: 'Whether contacts can be extracted; each open item and who can resolve it; failures to investigate',
        response: { 200: readinessSchema },
      },
      config: { permission: 'contacts.read_counts' },
    },
    (request) => readReadiness(store, actorOf(request).tenantId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/extraction/enablement',
    permission: 'contacts.enable',
    action: 'extraction.enable',
    stepUpWhen: ({ body }) => body.enabled,
    schema: {
      operationId: 'setExtractionEnablement',
      tags,
      summary: 'Enable contact extraction with a checklist without open items, or disable it',
      headers: idempotencyHeaders,
      body: enableSchema,
      response: { 201: readinessSchema },
    },
    status: 201,
    work: (tx, { body }) => setEnablement(tx, body),
    answer: (_, { actor }) => readReadiness(store, actor.tenantId),
  })
}
