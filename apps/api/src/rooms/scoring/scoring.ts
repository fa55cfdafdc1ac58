/** Public module: rule sets with their versions, previews and runs, for rooms that prepare them; and the scores that wait for a change. */

export { requestPreview } from './previews/request-preview.ts'
export { runPreview } from './previews/run-preview.ts'
export { approveVersion, submitVersion } from './rule-sets/decide-version.ts'
export { createRuleSet } from './rule-sets/rule-sets.ts'
export { editVersion, getVersion } from './rule-sets/versions.ts'
export { requestRun } from './runs/request-run.ts'
export { findWaitingScores, waitingWords } from './scores/waiting-scores.ts'
