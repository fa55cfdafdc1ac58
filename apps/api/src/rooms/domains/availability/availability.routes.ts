import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { HIDDEN } from '../../contact-gate/contact-gate.ts'
import { domainParams } from '../list/domains.schema.ts'
import { getDomainName } from '../names/domain-names.queries.ts'
import { standingOf } from '../names/withheld.ts'
import { verdictOf } from './availability.rules.ts'
import { availabilitySchema } from './availability.schema.ts'

/**
 * Route for the availability of a domain. This release has no availability provider, so the list of reports is empty and the route sends no request.
 */
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
      const reader = actorOf(request)
      const { domain } = await getDomainName(store.reader, reader.tenantId, request.params.domain)
      const { withheld } = await standingOf(store, reader, [domain])
      return { domain: withheld.has(domain) ? HIDDEN : domain, ...verdictOf([], store.clock().toISOString()) }
    },
  )
}
