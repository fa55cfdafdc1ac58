import { changeRoute } from '../../../http/change-route.ts'
import { idempotencyHeaders } from '../../../http/conditional.ts'
import type { RoomRoutes } from '../../../http/room.ts'
import { actorOf } from '../../../http/session-guard.ts'
import { invalidField } from '../../../lib/app-error.ts'
import { unchanged } from '../../../store/change/change.ts'
import { businessParams } from '../../businesses/businesses.ts'
import { createRecordLister, getSummary, readConditions } from '../../prospect-list/prospect-list.ts'
import { claimForReview, describeOpening, reviewOpeningSchema } from '../../review-decisions/review-decisions.ts'
import {
  nextReviewAnswerSchema,
  nextReviewSchema,
  openReviewSchema,
  reviewQueuePageSchema,
  reviewQueueQuery,
} from './queue.schema.ts'
import { findNext, listQueue, predicateOf, stillMatches } from './review-queue.ts'

const tags = ['review']

export const queueRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const list = createRecordLister(store, cursors)

  app.get(
    '/review-queue',
    {
      schema: {
        operationId: 'listReviewQueue',
        tags,
        summary: 'Prospects to review, with the exact predicate and its count',
        querystring: reviewQueueQuery,
        response: { 200: reviewQueuePageSchema },
      },
      config: { permission: 'review.read' },
    },
    (request) => {
      const { filterId, conditions, sort, limit, cursor } = request.query
      if (filterId !== undefined && conditions !== undefined)
        throw invalidField('filterId', 'both', 'Send a saved filter or conditions, not both.')
      const wanted = { filterId, sort, ...(conditions === undefined ? {} : { conditions: readConditions(conditions) }) }
      return listQueue(store, list, actorOf(request), wanted, { limit, cursor })
    },
  )

  changeRoute(app, store, {
    method: 'POST',
    url: '/review-queue/next',
    permission: 'review.decide',
    action: 'review.open',
    schema: {
      operationId: 'claimNextReview',
      tags,
      summary: 'Claim the next prospect of the queue that nobody else has open',
      headers: idempotencyHeaders,
      body: nextReviewSchema,
      response: { 200: nextReviewAnswerSchema },
    },
    status: 200,
    work: async (tx, { actor, body }) => {
      const next = await findNext(store, list, actor, body)
      return next === null ? unchanged(next) : claimForReview(tx, actor, next)
    },
    answer: async (id: string | null, { actor, body }) => {
      const { predicate } = await predicateOf(store, actor, body)
      if (id === null) return { predicate, business: null, opening: null }
      const business = await getSummary(store, actor, id)
      const opening = await describeOpening(store, actor, id, () => stillMatches(store, actor, id, body))
      return { predicate, business, opening }
    },
  })

  changeRoute(app, store, {
    method: 'POST',
    url: '/businesses/:businessId/review-openings',
    permission: 'review.decide',
    action: 'review.open',
    schema: {
      operationId: 'openReview',
      tags,
      summary: 'Open a prospect for review: checks it again, claims it and returns its fingerprint',
      params: businessParams,
      headers: idempotencyHeaders,
      body: openReviewSchema,
      response: { 200: reviewOpeningSchema },
    },
    status: 200,
    work: async (tx, { actor, params, body }) => {
      // Check the filter first, so that a request with an unknown filter is rejected before the record is claimed.
      if (body.filterId !== undefined) await predicateOf(store, actor, body)
      return claimForReview(tx, actor, params.businessId)
    },
    answer: (id, { actor, body }) =>
      describeOpening(
        store,
        actor,
        id,
        body.conditions === undefined && body.filterId === undefined
          ? undefined
          : () => stillMatches(store, actor, id, body),
      ),
  })
}
