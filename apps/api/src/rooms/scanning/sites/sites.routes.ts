import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
import { notFound } from '../../../lib/app-error.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { decideSite, getSite, listSites, proposeSite } from './official-sites.ts'
import { findSite } from './sites.queries.ts'
import {
  decideSiteSchema,
  listSitesOfBusinessQuery,
  listSitesQuery,
  officialSitePageSchema,
  officialSiteSchema,
  proposeSiteSchema,
  siteParams,
} from './sites.schema.ts'

export const siteRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'scanning' })

  route.read({
    url: '/official-sites',
    id: 'listOfficialSites',
    summary: 'Official sites of the workspace, newest first',
    permission: 'scanning.read',
    query: listSitesQuery,
    response: officialSitePageSchema,
    answer: ({ actor, query }) => listSites(store, cursors, actor, query),
  })

  route.read({
    url: '/businesses/:businessId/official-sites',
    id: 'listSitesOfBusiness',
    summary: 'Official sites of one prospect, newest first',
    permission: 'scanning.read',
    params: businessParams,
    query: listSitesOfBusinessQuery,
    response: officialSitePageSchema,
    answer: ({ actor, params, query }) => listSites(store, cursors, actor, { ...query, businessId: params.businessId }),
  })

  route.change({
    url: '/businesses/:businessId/official-sites',
    id: 'proposeOfficialSite',
    summary: 'Propose a host of the record, or of a domain that was accepted for it, as its official site',
    permission: 'scanning.propose_site',
    action: 'official_site.propose',
    params: businessParams,
    body: proposeSiteSchema,
    response: officialSiteSchema,
    status: 201,
    work: (tx, { params, body }) => proposeSite(tx, params.businessId, body),
    answer: ({ id }, { actor }) => getSite(store, actor, id),
  })

  route.change({
    url: '/official-sites/:siteId/decision',
    id: 'decideOfficialSite',
    summary: 'Approve, reject or withdraw an official site, on what was seen of it',
    permission: 'scanning.approve_site',
    action: 'official_site.decide',
    stepUpWhen: ({ body }) => body.decision !== 'withdraw',
    refused: {
      action: 'official_site.approval_failed',
      subject: 'official_site',
      decision: 'approve',
      find: async (db, tenantId, { siteId: id = '' }) => {
        const site = await findSite(db, { tenantId, id, now: store.clock().toISOString() })
        if (site === undefined) throw notFound()
        return { id, businessId: site.businessId }
      },
    },
    params: siteParams,
    body: decideSiteSchema,
    response: officialSiteSchema,
    requiresKeySoThat: 'no site is decided twice',
    work: (tx, { params, body }) => decideSite(tx, params.siteId, body),
    answer: ({ id }, { actor }) => getSite(store, actor, id),
  })
}
