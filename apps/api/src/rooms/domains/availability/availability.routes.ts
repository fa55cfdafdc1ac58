import { z } from 'zod'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { MAX_PARAMETER_LENGTH } from '../../../http/text.ts'
import { getDomainName } from '../names/domain-names.queries.ts'
import { verdictOf } from './availability.rules.ts'
import { availabilitySchema } from './availability.schema.ts'

const domainParams = z.strictObject({ domain: z.string().max(MAX_PARAMETER_LENGTH) })

/** This release has no provider, so there is no report; the route asks nobody. */
export const availabilityRoutes: RoomRoutes = async (app, { store }) => {
  app.get(
    '/domains/:domain/availability',
    {
      schema: {
        operationId: 'getDomainAvailability',
        tags: ['domains'],
        summary: 'Whether a domain can be registered: unknown, with the reason, because no provider is asked',
        params: domainParams,
        response: { 200: availabilitySchema },
      },
      config: { permission: 'domains.read' },
    },
    async (request) => {
      const { domain } = await getDomainName(store.reader, actorOf(request).tenantId, request.params.domain)
      return { domain, ...verdictOf([], store.clock().toISOString()) }
    },
  )
}
