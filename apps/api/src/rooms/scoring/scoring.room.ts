import { termOf, termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { deleteOldPreviews } from './previews/delete-previews.ts'
import { previewLimits } from './previews/previews.schema.ts'
import { ruleSetRoutes } from './rule-sets/rule-sets.routes.ts'
import { removeOldScores } from './runs/remove-scores.ts'
import { runRoutes } from './runs/runs.routes.ts'
import { deleteProcessedChanges } from './scores/delete-changes.ts'
import { rescoreDueRecords } from './scores/due-scores.ts'
import { scoreRoutes } from './scores/scores.routes.ts'
import { scoringFollower } from './scores/scoring-follower.ts'
import { scorePreview, scoreRun } from './scoring.jobs.ts'
import { ruleSetQuota, versionLimit } from './scoring.quota.ts'
import { waitingInScoring } from './waiting.ts'

/**
 * The scoring room. It has no `erase`, because an erased record becomes inactive and triggers then delete its scores. No other row of this room
 * contains content of a record.
 */
export const scoringRoom: Room = {
  name: 'scoring',
  routes: [ruleSetRoutes, runRoutes, scoreRoutes],
  waiting: waitingInScoring,
  quotas: [ruleSetQuota],
  recordLimits: [versionLimit],
  jobKinds: [scoreRun, scorePreview],
  upkeep: [rescoreDueRecords, removeOldScores, deleteOldPreviews, deleteProcessedChanges],
  retention: [
    {
      key: 'score_previews',
      data: 'Full previews of scoring versions',
      term: termOf(previewLimits.keptDays, 'day'),
      begins: 'From the request of the preview.',
      ends: 'The preview is deleted.',
      tasks: [deleteOldPreviews.name],
    },
    {
      key: 'old_scores',
      data: 'Scores of earlier recalculations',
      term: termWithoutTime('per_item'),
      begins: 'While the recalculation is active, was the last active one, or can still be activated.',
      ends: 'The scores are deleted. The recalculation with its counts remains.',
      tasks: [removeOldScores.name, deleteProcessedChanges.name],
    },
  ],
  followers: ({ store }) => [scoringFollower(store)],
}
