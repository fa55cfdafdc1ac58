import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { domainDetailSchema, domainPageSchema, domainParams, domainsQuery } from './domains.schema.ts'
import { getDomain, listDomains } from './domains.ts'

export const domainRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'domains' })

  route.read({
    url: '/domains',
    id: 'listDomains',
    summary: 'List the domains that the workspace knows: who uses them, what was observed, what waits for a decision',
    permission: 'domains.read',
    query: domainsQuery,
    response: domainPageSchema,
    answer: ({ actor, query }) => listDomains(store, cursors, actor, query),
  })

  route.read({
    url: '/domains/:domain',
    id: 'getDomain',
    summary: 'One domain, in any spelling',
    permission: 'domains.read',
    params: domainParams,
    response: domainDetailSchema,
    answer: ({ actor, params }) => getDomain(store, actor, params.domain),
  })
}
