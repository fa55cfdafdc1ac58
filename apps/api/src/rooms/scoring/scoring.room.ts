import type { Room } from '../room.ts'
import { ruleSetRoutes } from './rule-sets/rule-sets.routes.ts'
import { startCleaning } from './runs/clean-up.ts'
import { runRoutes } from './runs/runs.routes.ts'
import { startRescoringDue } from './scores/due-scores.ts'
import { scoreRoutes } from './scores/scores.routes.ts'
import { scoringFollower } from './scores/scoring-follower.ts'
import { scorePreview, scoreRun } from './scoring.jobs.ts'
import { ruleSetQuota, versionLimit } from './scoring.quota.ts'

/**
 * The scoring room. It has no `erase`, because an erased record becomes inactive and triggers then delete its scores. No other row of this room
 * contains content of a record.
 */
export const scoringRoom: Room = {
  name: 'scoring',
  routes: [ruleSetRoutes, runRoutes, scoreRoutes],
  quotas: [ruleSetQuota],
  recordLimits: [versionLimit],
  jobKinds: [scoreRun, scorePreview],
  loops: [
    { name: 'scores that are due', start: ({ store, log }) => startRescoringDue(store, log) },
    { name: 'removal of old scores', start: ({ store, log }) => startCleaning(store, log) },
  ],
  followers: ({ store }) => [scoringFollower(store)],
}
