import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders, requiredIdempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { notFound } from '../../../lib/app-error.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { decideSite, getSite, listSites, proposeSite } from './official-sites.ts'
import { findSite } from './sites.queries.ts'
import {
  decideSiteSchema,
  listSitesQuery,
  officialSitePageSchema,
  officialSiteSchema,
  proposeSiteSchema,
  siteParams,
} from './sites.schema.ts'

export const siteRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const tags = ['scanning']

  app.get(
    '/official-sites',
    {
      schema: {
        operationId: 'listOfficialSites',
        tags,
        summary: 'Official sites of the workspace, newest first',
        querystring: listSitesQuery,
        response: { 200: officialSitePageSchema },
      },
      config: { permission: 'scanning.read' },
    },
    (request) => listSites(store, cursors, actorOf(request), request.query),
  )

  app.get(
    '/businesses/:businessId/official-sites',
    {
      schema: {
        operationId: 'listSitesOfBusiness',
        tags,
        summary: 'Official sites of one prospect, newest first',
        params: businessParams,
        querystring: listSitesQuery,
        response: { 200: officialSitePageSchema },
      },
      config: { permission: 'scanning.read' },
    },
    (request) => listSites(store, cursors, actorOf(request), request.query, request.params.businessId),
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/official-sites',
    permission: 'scanning.propose_site',
    action: 'official_site.propose',
    schema: {
      operationId: 'proposeOfficialSite',
      tags,
      summary: 'Propose a host of the record, or of a domain that was accepted for it, as its official site',
      params: businessParams,
      headers: idempotencyHeaders,
      body: proposeSiteSchema,
      response: { 201: officialSiteSchema },
    },
    status: 201,
    work: (tx, { params, body }) => proposeSite(tx, params.businessId, body),
    answer: ({ id }, { actor }) => getSite(store, actor, id),
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/official-sites/:siteId/decision',
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
    schema: {
      operationId: 'decideOfficialSite',
      tags,
      summary: 'Approve, decline or withdraw an official site, on what was seen of it',
      params: siteParams,
      headers: requiredIdempotencyHeaders,
      body: decideSiteSchema,
      response: { 200: officialSiteSchema },
    },
    status: 200,
    lest: 'no site is decided twice',
    work: (tx, { params, body }) => decideSite(tx, params.siteId, body),
    answer: ({ id }, { actor }) => getSite(store, actor, id),
  })
}
