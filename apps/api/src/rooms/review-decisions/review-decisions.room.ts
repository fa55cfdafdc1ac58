import type { Room } from '../room.ts'
import { applyReviewDates } from './review-dates.ts'
import { reviewFollower } from './review-follower.ts'
import { reviewRoutes } from './reviews.routes.ts'

export const reviewDecisionRoom: Room = {
  name: 'review-decisions',
  routes: [reviewRoutes],
  upkeep: [applyReviewDates],
  followers: ({ store }) => [reviewFollower(store)],
  holds: {
    reviews: {
      title: 'Reviews',
      permission: 'review.read',
      json: ['checked_fields'],
      columns: {
        id: 'Id',
        decision: 'Decision',
        reason_code: 'Reason code',
        reason: 'Reason',
        checked_fields: 'Checked facts',
        until: 'Until',
        method: 'Method',
        created_at: 'At',
        created_by: 'By',
      },
    },
    review_states: {
      title: 'Present review',
      permission: 'review.read',
      order: null,
      columns: { state: 'State', due_from: 'Due from', decided_at: 'Decided at', review_id: 'Review' },
    },
  },
  holdsNothing: { review_claims: 'who has the record open, for some minutes' },
  erases: { reviews: { set: { reason: null }, counts: 'reviews' } },
}
