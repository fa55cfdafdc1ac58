import type { Room } from '../room.ts'
import { matchRun, renormalization } from './matching.jobs.ts'
import { matchingRoutes } from './matching.routes.ts'
import { endLostMerges } from './merging/merge-attempts.ts'
import { childSize, familySize } from './merging/merge-snapshot.ts'
import { mergeRoutes } from './merging/merges.routes.ts'
import { matchingFollower } from './suggestions/matching-follower.ts'

/**
 * Routes, job kinds and loops of matching. It declares no erasure: the erasure room calls `eraseMatches`, because it must find all rows of matching
 * before it empties any.
 */
export const matchingRoom: Room = {
  name: 'matching',
  routes: [matchingRoutes, mergeRoutes],
  otherLimits: [familySize, childSize],
  jobKinds: [matchRun, renormalization],
  upkeep: [endLostMerges],
  followers: ({ store }) => [matchingFollower(store)],
}
