import { z } from 'zod'
import { pageQuery } from '../../http/pagination.ts'
import type { RoomRoutes } from '../../http/room.ts'
import { createRoutes } from '../../http/routes.ts'
import { businessParams } from '../businesses/businesses.ts'
import { decideReview } from './decide-review.ts'
import { findReviewSummaries, unreviewed } from './review-filter.ts'
import { changeReviewTerm, getReviewSettings } from './review-settings.ts'
import {
  addReviewSchema,
  reviewPageSchema,
  reviewSchema,
  reviewSettingsIn,
  reviewSettingsSchema,
} from './reviews.schema.ts'
import { getReview, reviewsOfBusiness } from './reviews.ts'

export const reviewRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'review' })

  route.read({
    url: '/businesses/:businessId/reviews',
    id: 'listReviews',
    summary: 'The reviews of one prospect, newest first, and its state',
    permission: 'review.read',
    params: businessParams,
    query: z.strictObject(pageQuery),
    response: reviewPageSchema,
    answer: async ({ actor, params, query }) => {
      const { businessId } = params
      const page = await reviewsOfBusiness.list(store, cursors, actor, businessId, query)
      const summaries = await findReviewSummaries(store.reader, actor.tenantId, [businessId])
      return { ...page, standing: summaries.get(businessId) ?? unreviewed }
    },
  })

  route.change({
    url: '/businesses/:businessId/reviews',
    id: 'addReview',
    summary: 'Verify, reject, defer or reopen a prospect as it was opened',
    permission: 'review.decide',
    action: 'review.decide',
    params: businessParams,
    body: addReviewSchema,
    response: reviewSchema,
    status: 201,
    work: (tx, { params, body }) => decideReview(tx, params.businessId, body),
    answer: ({ id }, { actor }) => getReview(store.reader, actor, id),
  })

  route.read({
    url: '/review-settings',
    id: 'getReviewSettings',
    summary: 'The review term of the workspace',
    permission: 'review.read',
    response: reviewSettingsSchema,
    etag: ({ version }) => version,
    answer: ({ actor }) => getReviewSettings(store.reader, actor.tenantId),
  })

  route.change({
    method: 'PUT',
    url: '/review-settings',
    id: 'changeReviewSettings',
    summary: 'Set the term after which a decision becomes outdated, or none',
    permission: 'review.configure',
    action: 'review.configure',
    stepUp: true,
    body: reviewSettingsIn,
    response: reviewSettingsSchema,
    work: (tx, { version, body }) => changeReviewTerm(tx, version, body.termDays),
    etag: ({ version }) => version,
    answer: (settings) => settings,
  })
}
