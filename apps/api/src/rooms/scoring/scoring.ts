/** Public module: rule sets with their versions, previews and runs, for rooms that prepare them; and the scores that wait for a change. */

export { requestPreview } from './previews/request-preview.ts'
export { runPreview } from './previews/run-preview.ts'
export { approveVersion, submitVersion } from './rule-sets/decide-version.ts'
export { createRuleSet } from './rule-sets/rule-sets.ts'
export { editVersion, getVersion } from './rule-sets/versions.ts'
export { requestRun } from './runs/request-run.ts'
export { type Score, scoreSchema } from './scores/score.schema.ts'
export {
  type ActiveScores,
  areKept,
  findActiveScores,
  findWaiting,
  type ScoreColumns,
  toScore,
  withScores,
} from './scores/score-columns.ts'
export {
  countByEligibility,
  countScored,
  type ScoreCodes,
  type ScoreFilter,
  scoreCodeCondition,
  scoreCondition,
  scoreParts,
} from './scores/score-filter.ts'
export { findWaitingScores, waitingWords } from './scores/waiting-scores.ts'
