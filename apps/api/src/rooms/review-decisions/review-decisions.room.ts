import type { Room } from '../room.ts'
import { applyReviewDates } from './review-dates.ts'
import { reviewFollower } from './review-follower.ts'
import { reviewRoutes } from './reviews.routes.ts'
import { reviewsOfBusiness } from './reviews.ts'

export const reviewDecisionRoom: Room = {
  name: 'review-decisions',
  routes: [reviewRoutes],
  upkeep: [applyReviewDates],
  followers: ({ store }) => [reviewFollower(store)],
  erase: async (tx, businessIds) => ({ counts: { reviews: await reviewsOfBusiness.erase(tx, businessIds) } }),
}
