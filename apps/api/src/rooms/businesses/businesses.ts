/**
 * Public module of the businesses room, which stores prospects. A business belongs to one tenant, is never deleted and has a version. Other rooms store
 * its evidence, notes and pipeline transitions.
 */

export { blockAllAgain, blockedRecords } from './blocks/block-again.ts'
export { blockBusiness } from './blocks/block-by-hand.ts'
export { isBlockedByHand } from './blocks/block-rows.ts'
export { carryBlock, carryToSurvivor } from './blocks/carry-blocks.ts'
export { insertTombstones } from './blocks/insert-tombstones.ts'
export { freeByEntry, markByEntry } from './blocks/mark-by-entry.ts'
export { markInStep, markMatched } from './blocks/mark-matched.ts'
export { findBlockedAbove, findBusinesses, getBusiness, isBlockedAbove } from './businesses.queries.ts'
export {
  type Business,
  businessPageSchema,
  businessParams,
  businessSchema,
  businessSummarySchema,
  createBusinessSchema,
  limits as businessLimits,
  MAX_FILTER_BYTES,
  pipelineStateSchema,
  placeDoubtSchema,
  removedFilterValueSchema,
  type Sort,
  scoreSchema,
  sorts,
} from './businesses.schema.ts'
export type { BlockedThrough } from './businesses.table.ts'
export { anyBlockedAbove } from './family/blocked-above.ts'
export { businessChild } from './family/business-child.ts'
export { MAX_FAMILY } from './family/max-family.ts'
export {
  familiesOf,
  familyOf,
  getFamily,
  getStoredRecord,
  type IdentifierRecord,
  inFamily,
  linkTo,
  type MergedColumns,
  newestIdFirst,
  refreshSearchText,
  rewriteRecord,
  type StoredRecord,
  tagsOf,
  throughMerges,
} from './family/merge-records.ts'
export { countByState } from './list/business-counts.ts'
export { type CompiledConditions, compileConditions } from './list/compile-conditions.ts'
export {
  type Condition,
  conditionsInput,
  conditionsSchema,
  FILTER_SCHEMA_VERSION,
  isTextCondition,
} from './list/conditions.schema.ts'
export { emptyConditions, erasableFields, isErased, withoutErased } from './list/erase-conditions.ts'
export { type ExportRecord, findWithdrawn, readExportRecords } from './list/export-records.ts'
export {
  createMatchingCounter,
  createRecordLister,
  getSummary,
  isMatching,
  type MatchingCounter,
  type RecordLister,
  selectMatchingIds,
} from './list/list-businesses.ts'
export { tagsOfNobody } from './list/list-tags.ts'
export { readConditions } from './list/query-conditions.ts'
export { createRemovedValuesFinder } from './list/removed-values.ts'
export { findReviewStandings, unreviewed } from './list/review-filter.ts'
export { type ReviewState, reviewStandingSchema } from './list/review-standing.schema.ts'
export {
  type ActiveScores,
  findActiveScores,
  findScoreOf,
  findWaiting,
  isBehind,
  toScore,
} from './list/score-columns.ts'
export { readStoredConditions, type StoredCondition } from './list/stored-conditions.ts'
export { addIdentifier } from './record/add-identifier.ts'
export { getActiveBusiness, setPipelineState } from './record/business-state.ts'
export { createBusiness } from './record/create-business.ts'
export { editBusiness } from './record/edit-business.ts'
export { ERASED } from './record/erase-business.ts'
export { wasErasedSince } from './record/erased-since.ts'
export { countNewEvidence, refreshEvidenceCount } from './record/evidence-count.ts'
export { facts } from './record/facts.data.ts'
export {
  addressFacts,
  addressOf,
  columnOf,
  type FactColumn,
  type FactField,
  factColumns,
  factFields,
  isContactFact,
  isNumberFact,
  type MergedFact,
  mergedFacts,
  type NumberFact,
  nounOf,
  numberFacts,
  type OwnFact,
  ownFacts,
  ownFactsOf,
  type StoredFact,
  storedFacts,
  storedValueOf,
  textFilters,
} from './record/facts.ts'
export {
  findHiddenRecords,
  forReader,
  hidesWordsAbout,
  hidesWrittenFor,
  reasonForReader,
} from './record/hide-values.ts'
export { findHolderIds, findHolders } from './record/known-identifiers.ts'
export { refreshLastContact } from './record/last-contact.ts'
export { renewColumns, renewIdentifier, renormalizeStep } from './record/renormalize.ts'
export { tagKey } from './record/write-business.ts'
export { findBusinessesByText, wordsOfNobody } from './search/find-businesses.ts'
export { fold } from './search/fold.rules.ts'
