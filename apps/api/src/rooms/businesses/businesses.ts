/**
 * The room of prospects: the front door, all that other rooms may use. A business belongs to one tenant, is never deleted and
 * carries a version; evidence, notes and moves hang on it from rooms of their own.
 */

export { blockAllAgain, blockedRecords } from './block-again.ts'
export { countByState } from './business-counts.ts'
export {
  blockBusiness,
  getActiveBusiness,
  liftBlock,
  markHasEvidence,
  recordMatch,
  setPipelineState,
} from './business-state.ts'
export { getBusiness, isBlockedAbove } from './businesses.queries.ts'
export {
  type Business,
  type BusinessFilter,
  businessFilterSchema,
  businessParams,
  businessSchema,
  createBusinessSchema,
  limits as businessLimits,
  pipelineStateSchema,
} from './businesses.schema.ts'
export { survivorsOf, tellingCarriedBlocks } from './carried-blocks.ts'
export { createBusiness } from './create-business.ts'
export { ERASED, eraseBusinesses } from './erase-business.ts'
export { wasErasedSince } from './erased-since.ts'
export { type ExportRecord, findWithdrawn, keptFilter, readExportRecords } from './export-records.ts'
export { type FactField, factFields } from './fact-fields.ts'
export { findByText, wordsOfNobody } from './find-by-text.ts'
export { forReader, hidesWordsAbout, hidesWrittenFor, reasonForReader } from './hide-values.ts'
export { findHolders } from './known-identifiers.ts'
export { tagsOfNobody } from './list-tags.ts'
export { MAX_FAMILY } from './max-family.ts'
export {
  carryBlock,
  type FactColumns,
  familyOf,
  getStoredRecord,
  type IdentifierRecord,
  inFamily,
  isBlockedByHand,
  linkTo,
  newestIdFirst,
  refreshSearchText,
  rewriteRecord,
  type StoredRecord,
  tagsOf,
  throughMerges,
} from './merge-records.ts'
export { renewColumns, renewIdentifier, renormalizeStep } from './renormalize.ts'
export { fold } from './search-text.rules.ts'
export { tagKey } from './write-business.ts'
