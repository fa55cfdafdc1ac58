import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { domainDetailSchema, domainPageSchema, domainParams, domainsQuery } from './domains.schema.ts'
import { getDomain, listDomains } from './domains.ts'

export const domainRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const tags = ['domains']

  app.get(
    '/domains',
    {
      schema: {
        operationId: 'listDomains',
        tags,
        summary:
          'List the domains that the workspace knows: who uses them, what was observed, what waits for a decision',
        querystring: domainsQuery,
        response: { 200: domainPageSchema },
      },
      config: { permission: 'domains.read' },
    },
    (request) => listDomains(store, cursors, actorOf(request), request.query),
  )

  app.get(
    '/domains/:domain',
    {
      schema: {
        operationId: 'getDomain',
        tags,
        summary: 'One domain, in any spelling',
        params: domainParams,
        response: { 200: domainDetailSchema },
      },
      config: { permission: 'domains.read' },
    },
    (request) => getDomain(store, actorOf(request), request.params.domain),
  )
}
