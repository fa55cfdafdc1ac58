/** Public module: rule sets with their versions, previews and runs, for rooms that prepare them. */

export { requestPreview } from './previews/request-preview.ts'
export { runPreview } from './previews/run-preview.ts'
export { approveVersion, submitVersion } from './rule-sets/decide-version.ts'
export { createRuleSet } from './rule-sets/rule-sets.ts'
export { editVersion, getVersion } from './rule-sets/versions.ts'
export { requestRun } from './runs/request-run.ts'
