import type { Room } from '../room.ts'
import { applyReviewDates } from './review-dates.ts'
import { reviewFollower } from './review-follower.ts'
import { reviewRoutes } from './reviews.routes.ts'

export const reviewDecisionRoom: Room = {
  name: 'review-decisions',
  routes: [reviewRoutes],
  upkeep: [applyReviewDates],
  followers: ({ store }) => [reviewFollower(store)],
  erases: { reviews: { set: { reason: null }, counts: 'reviews' } },
}
