import { z } from 'zod'
import { changeRoute } from '../../http/change-route.ts'
import { idempotencyHeaders, setEntityTag, versionHeaders } from '../../http/conditional.ts'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { actorOf } from '../../http/session-guard.ts'
import { businessParams } from '../businesses/businesses.ts'
import { decideReview } from './decide-review.ts'
import { findReviewStandings, unreviewed } from './review-filter.ts'
import { changeReviewTerm, getReviewSettings } from './review-settings.ts'
import {
  addReviewSchema,
  reviewPageSchema,
  reviewSchema,
  reviewSettingsIn,
  reviewSettingsSchema,
} from './reviews.schema.ts'
import { getReview, reviewsOfBusiness } from './reviews.ts'

const tags = ['review']

export const reviewRoutes: RoomRoutes = async (app, { store, cursors }) => {
  app.get(
    '/businesses/:businessId/reviews',
    {
      schema: {
        operationId: 'listReviews',
        tags,
        summary: 'The reviews of one prospect, newest first, and its state',
        params: businessParams,
        querystring: z.strictObject(pageQuery),
        response: { 200: reviewPageSchema },
      },
      config: { permission: 'review.read' },
    },
    async (request) => {
      const actor = actorOf(request)
      const { businessId } = request.params
      const page = await reviewsOfBusiness.list(store, cursors, actor, businessId, request.query)
      const standings = await findReviewStandings(store.reader, actor.tenantId, [businessId])
      return { ...page, standing: standings.get(businessId) ?? unreviewed }
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/reviews',
    permission: 'review.decide',
    action: 'review.decide',
    schema: {
      operationId: 'addReview',
      tags,
      summary: 'Verify, reject, defer or reopen a prospect as it was opened',
      params: businessParams,
      headers: idempotencyHeaders,
      body: addReviewSchema,
      response: { 201: reviewSchema },
    },
    status: 201,
    work: (tx, { params, body }) => decideReview(tx, params.businessId, body),
    answer: ({ id }, { actor }) => getReview(store.reader, actor, id),
  })

  app.get(
    '/review-settings',
    {
      schema: {
        operationId: 'getReviewSettings',
        tags,
        summary: 'The review term of the workspace',
        response: { 200: reviewSettingsSchema },
      },
      config: { permission: 'review.read', tells: ['etag'] },
    },
    async (request, reply) => {
      const settings = await getReviewSettings(store.reader, actorOf(request).tenantId)
      setEntityTag(reply, settings.version)
      return settings
    },
  )

  changeRoute(app, store, {
    method: 'PUT',
    url: '/review-settings',
    permission: 'review.configure',
    action: 'review.configure',
    stepUp: true,
    schema: {
      operationId: 'changeReviewSettings',
      tags,
      summary: 'Set the term after which a decision becomes outdated, or none',
      headers: versionHeaders,
      body: reviewSettingsIn,
      response: { 200: reviewSettingsSchema },
    },
    status: 200,
    work: (tx, { version, body }) => changeReviewTerm(tx, version, body.termDays),
    etag: ({ version }) => version,
    answer: (settings) => settings,
  })
}
