import type { RoomRoutes } from '../../../http/room.ts'
import { createRoutes } from '../../../http/routes.ts'
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

export const queueRoutes: RoomRoutes = async (app, { store, cursors }) => {
  const route = createRoutes(app, { store, tag: 'review' })
  const list = createRecordLister(store, cursors)

  route.read({
    url: '/review-queue',
    id: 'listReviewQueue',
    summary: 'Prospects to review, with the exact predicate and its count',
    permission: 'review.read',
    query: reviewQueueQuery,
    response: reviewQueuePageSchema,
    answer: ({ actor, query }) => {
      const { filterId, conditions, sort, limit, cursor } = query
      if (filterId !== undefined && conditions !== undefined)
        throw invalidField('filterId', 'both', 'Send a saved filter or conditions, not both.')
      const wanted = { filterId, sort, ...(conditions === undefined ? {} : { conditions: readConditions(conditions) }) }
      return listQueue(store, list, actor, wanted, { limit, cursor })
    },
  })

  route.change({
    url: '/review-queue/next',
    id: 'claimNextReview',
    summary: 'Claim the next prospect of the queue that nobody else has open',
    permission: 'review.decide',
    action: 'review.open',
    body: nextReviewSchema,
    response: nextReviewAnswerSchema,
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

  route.change({
    url: '/businesses/:businessId/review-openings',
    id: 'openReview',
    summary: 'Open a prospect for review: checks it again, claims it and returns its fingerprint',
    permission: 'review.decide',
    action: 'review.open',
    params: businessParams,
    body: openReviewSchema,
    response: reviewOpeningSchema,
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
