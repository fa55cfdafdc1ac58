/**
 * Public module of the businesses room, which stores prospects. A business belongs to one tenant, is never deleted and has a version. Other rooms store
 * its evidence, notes and pipeline transitions.
 */

export { blockAllAgain, blockedRecords } from './blocks/block-again.ts'
export { blockBusiness } from './blocks/block-by-hand.ts'
export { isBlockedByHand } from './blocks/block-rows.ts'
export { carryBlock, carryToSurvivor, liftCarriedBlock } from './blocks/carry-blocks.ts'
export { insertTombstones } from './blocks/insert-tombstones.ts'
export { freeByEntry, markByEntry } from './blocks/mark-by-entry.ts'
export { markInStep, markMatched } from './blocks/mark-matched.ts'
export {
  callCountryOf,
  findBlockedAbove,
  findBusinesses,
  getBusiness,
  isBlockedAbove,
  isNameKnown,
  placeDoubtsOf,
} from './businesses.queries.ts'
export {
  type Business,
  businessParams,
  businessSchema,
  callCountrySchema,
  createBusinessSchema,
  limits as businessLimits,
  listedAnswers,
  numberOf,
  pipelineStateSchema,
  placeDoubtSchema,
  provinceCodeSchema,
  statusSchema,
} from './businesses.schema.ts'
export type { BlockedThrough, BusinessTable } from './businesses.table.ts'
export { anyBlockedAbove } from './family/blocked-above.ts'
export { hasBlockedBelow } from './family/blocked-below.ts'
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
  recordsAbove,
  refreshSearchText,
  rewriteRecord,
  type StoredRecord,
  tagsOf,
  throughMerges,
  wholeFamilyOf,
} from './family/merge-records.ts'
export { addIdentifier } from './record/add-identifier.ts'
export { getActiveBusiness, raiseVersion, setPipelineState } from './record/business-state.ts'
export { createBusiness } from './record/create-business.ts'
export { doubtKinds, sumsWith } from './record/doubts.ts'
export { editBusiness } from './record/edit-business.ts'
export { insertErasures, wasErasedSince } from './record/erasures.ts'
export { countNewEvidence, setEvidenceCount } from './record/evidence-count.ts'
export { facts } from './record/facts.data.ts'
export {
  addressFacts,
  addressOf,
  columnOf,
  type FactColumn,
  type FactField,
  type FilterColumn,
  factColumns,
  factFields,
  indexOf,
  isContactFact,
  isNumberFact,
  type ListedColumn,
  type ListedFact,
  listedFacts,
  type MergedFact,
  mergedFacts,
  type NumberColumn,
  type NumberFact,
  nounOf,
  numberFacts,
  type OwnFact,
  ownFacts,
  ownFactsOf,
  type StoredFact,
  storedFacts,
  storedValueOf,
  type TextFilter,
  textFilterNames,
  textFilters,
} from './record/facts.ts'
export {
  eventWithoutValues,
  findHiddenRecords,
  forReader,
  hidesWordsAbout,
  hidesWrittenFor,
  reasonForReader,
  recordsOfEvent,
} from './record/hide-values.ts'
export { findHolderIds, findHolders } from './record/known-identifiers.ts'
export { type LastContact, setLastContact } from './record/last-contact.ts'
export { tagsOfNobody } from './record/list-tags.ts'
export { renewColumns, renewIdentifier, renormalizeStep } from './record/renormalize.ts'
export { tagKey } from './record/write-business.ts'
export { countByState, countInCube, countWithTag } from './search/business-counts.ts'
export { findBusinessesByText, peopleOfNobody, wordsOfNobody } from './search/find-businesses.ts'
export { findByText, type TextScope, textScopeOf } from './search/find-by-text.sqlite.ts'
export { fold } from './search/fold.rules.ts'
export { holdsAny } from './search/holds-terms.ts'
export { nameHoldsAny } from './search/name-holds-any.sqlite.ts'
export { findByPerson, peopleHoldAny } from './search/people-hold-any.sqlite.ts'
export { type SearchTerm, searchTerms } from './search/search-text.rules.ts'
export { allSpellings, type TextPlace, textPlaceOf } from './search/spellings.ts'
