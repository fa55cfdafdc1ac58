import type { Room } from '../room.ts'
import { ruleSetRoutes } from './rule-sets/rule-sets.routes.ts'
import { startCleaning } from './runs/clean-up.ts'
import { runRoutes } from './runs/runs.routes.ts'
import { startFollowing } from './scores/follow-changes.ts'
import { scoreRoutes } from './scores/scores.routes.ts'
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
    { name: 'scoring', start: ({ store, log }) => startFollowing(store, log) },
    { name: 'removal of old scores', start: ({ store, log }) => startCleaning(store, log) },
  ],
}
