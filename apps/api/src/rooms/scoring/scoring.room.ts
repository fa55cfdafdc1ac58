import { termOf, termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { deleteOldPreviews } from './previews/delete-previews.ts'
import { previewLimits } from './previews/previews.schema.ts'
import { ruleSetRoutes } from './rule-sets/rule-sets.routes.ts'
import { removeOldScores } from './runs/remove-scores.ts'
import { runRoutes } from './runs/runs.routes.ts'
import { deleteProcessedChanges } from './scores/delete-changes.ts'
import { rescoreDueRecords } from './scores/due-scores.ts'
import { holdScores } from './scores/hold-scores.ts'
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
  hold: holdScores,
  holds: {
    score_history: {
      title: 'Earlier scores',
      permission: 'scoring.read',
      columns: {
        id: 'Id',
        at: 'At',
        cause: 'Cause',
        from_eligibility: 'Eligibility before (code)',
        to_eligibility: 'Eligibility after (code)',
        from_priority: 'Priority before',
        to_priority: 'Priority after',
        from_low: 'Lowest points before',
        to_low: 'Lowest points after',
      },
    },
  },
  holdsNothing: {
    scores: 'a function reads the present score, because rows of a recalculation have numbers in place of ids',
    score_order: 'the order of scores',
    score_due: 'the deadlines of scores',
    score_changes: 'records that await scoring',
    score_moves: 'differences between two recalculations, which are deleted with the earlier one',
    scoring_failures: 'records that a recalculation could not score',
    scoring_preview_moves: 'results of a preview, for some days',
  },
  followers: ({ store }) => [scoringFollower(store)],
}
