import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { enableSchema, readinessSchema } from './enablement.schema.ts'
import { readReadiness, setEnablement } from './enablement.ts'

export const enablementRoutes: RoomRoutes = async (app, { store }) => {
  const route = createRoutes(app, { store, tag: 'contacts' })

  route.read({
    url: '/extraction/readiness',
    id: 'getExtractionReadiness',
    summary: 'Whether contacts can be extracted; each open item and who can resolve it; failures to investigate',
    permission: 'contacts.read_counts',
    response: readinessSchema,
    answer: ({ actor }) => readReadiness(store, actor.tenantId),
  })

  route.change({
    url: '/extraction/enablement',
    id: 'setExtractionEnablement',
    summary: 'Enable contact extraction with a checklist without open items, or disable it',
    permission: 'contacts.enable',
    action: 'extraction.enable',
    stepUpWhen: ({ body }) => body.enabled,
    body: enableSchema,
    response: readinessSchema,
    status: 201,
    work: (tx, { body }) => setEnablement(tx, body),
    answer: (_, { actor }) => readReadiness(store, actor.tenantId),
  })
}
