import type { Room } from '../room.ts'
import { matchRun, renormalization } from './matching.jobs.ts'
import { matchingRoutes } from './matching.routes.ts'
import { endLostMerges } from './merging/merge-attempts.ts'
import { childSize, familySize } from './merging/merge-snapshot.ts'
import { mergeRoutes } from './merging/merges.routes.ts'
import { matchingFollower } from './suggestions/matching-follower.ts'

/**
 * Routes, job kinds and loops of matching. It has no `erase` hook: the erasure room empties the rows of matching itself, because it must find all of
 * them before it empties any.
 */
export const matchingRoom: Room = {
  name: 'matching',
  routes: [matchingRoutes, mergeRoutes],
  otherLimits: [familySize, childSize],
  jobKinds: [matchRun, renormalization],
  upkeep: [endLostMerges],
  followers: ({ store }) => [matchingFollower(store)],
}
