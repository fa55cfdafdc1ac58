/**
 * Public module of the suppression room: adding, listing and removing entries, and their re-evaluation. Whether a value may be contacted is decided
 * by the contact gate; businesses are marked by `businesses/blocks/`.
 */
export { addOrConfirmEntry, entryOf } from './entries/add-entry.ts'
export { blockWithValues, getBlocked, type StoredBlock, suppressValues } from './entries/block-with-values.ts'
export { carryEntries, entriesInForce } from './entries/carry-entries.ts'
export { findMissingMatches, isEvaluated } from './missing-matches.ts'
export { markEvaluatedWhenEmpty } from './reevaluation/queue-reevaluations.ts'
export { contactValuesOf } from './reevaluation/reevaluate.ts'
export {
  blockBusinessSchema,
  blockedBusinessSchema,
  optOutSchema,
  type Suppressed,
  suppressedSchema,
} from './suppression.schema.ts'
