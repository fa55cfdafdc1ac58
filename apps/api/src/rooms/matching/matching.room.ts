import type { Room } from '../room.ts'
import { matchRun, renormalization } from './matching.jobs.ts'
import { matchingRoutes } from './matching.routes.ts'
import { endLostMerges } from './merging/merge-attempts.ts'
import { childSize, familySize } from './merging/merge-snapshot.ts'
import { mergeRoutes } from './merging/merges.routes.ts'
import { holdMatches } from './suggestions/hold-matches.ts'
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
  hold: holdMatches,
  holdsNothing: {
    match_records: 'numbers that are derived from the record for comparing',
    match_keys: 'numbers that are derived from the record for comparing',
    match_suggestions: 'a function reads them, because a row belongs to two records and contains values of both',
    merges: 'a function reads them, because a row belongs to two records and contains values of both',
    merge_snapshots: 'copies of two records for a reversal; the records are in the file',
    merge_attempts: 'steps of a merge, without a value',
  },
  upkeep: [endLostMerges],
  followers: ({ store }) => [matchingFollower(store)],
}
