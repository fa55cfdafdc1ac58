/**
 * The suppression centre: entries, their removal and their re-evaluation. Questions about contact values go to the contact gate.
 */
export { carryEntries, entriesInForce } from './entries/carry-entries.ts'
export { findMissingMatches, isEvaluated } from './missing-matches.ts'
export { markEvaluatedWhenEmpty, queueReevaluations } from './reevaluation/queue-reevaluations.ts'
export { contactValuesOf } from './reevaluation/reevaluate.ts'
