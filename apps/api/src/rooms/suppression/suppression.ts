/**
 * The suppression centre: adding, listing and removing entries, and their re-evaluation. Questions about contact values go to the contact
 * gate, blocks of businesses to `businesses/blocks/`.
 */
export { carryEntries, entriesInForce } from './entries/carry-entries.ts'
export { findMissingMatches, isEvaluated } from './missing-matches.ts'
export { markEvaluatedWhenEmpty } from './reevaluation/queue-reevaluations.ts'
export { contactValuesOf } from './reevaluation/reevaluate.ts'
