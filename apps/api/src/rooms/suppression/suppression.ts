/**
 * Front door of the suppression room: adding, listing and removing entries, and their re-evaluation. The contact gate answers questions about contact
 * values; `businesses/blocks/` blocks businesses.
 */
export { carryEntries, entriesInForce } from './entries/carry-entries.ts'
export { findMissingMatches, isEvaluated } from './missing-matches.ts'
export { markEvaluatedWhenEmpty } from './reevaluation/queue-reevaluations.ts'
export { contactValuesOf } from './reevaluation/reevaluate.ts'
