import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { domainParams } from '../list/domains.schema.ts'
import { requireDomain } from '../names/require-domain.ts'
import { availabilitySchema } from './availability.schema.ts'

/**
 * Route for the availability of a domain, also of one that is new to the workspace. Only an authorized provider may report availability
 * (specification, Phase 7 §7), and the registry of sources has no purpose for one, so the answer is unknown for every domain. It reads nothing that
 * is stored, and contains only the domain of the request.
 */
export const availabilityRoutes: RoomRoutes = async (app, { store }) => {
  const route = createRoutes(app, { store, tag: 'domains' })

  route.read({
    url: '/domains/:domain/availability',
    id: 'getDomainAvailability',
    summary: 'Whether a domain can be registered: unknown for every domain, because there is no provider',
    permission: 'domains.read',
    params: domainParams,
    response: availabilitySchema,
    answer: ({ params }) => {
      const { domain } = requireDomain(params.domain, 'domain')
      return { domain, status: 'unknown', outcome: 'unavailable', reason: 'no_provider' } as const
    },
  })
}
