/**
 * Public module of the prospect list: the conditions of filters, lists and counts of the records that match them, and the selections that exports and
 * bulk actions read.
 */

export { type CompiledConditions, compileConditions } from './conditions/compile-conditions.ts'
export {
  type Condition,
  conditionsInput,
  conditionsSchema,
  FILTER_SCHEMA_VERSION,
  isSearch,
  isTextCondition,
} from './conditions/conditions.schema.ts'
export { emptyConditions, erasableFields, isErased, withoutErased } from './conditions/erase-conditions.ts'
export { readConditions } from './conditions/query-conditions.ts'
export { createRemovedValuesFinder } from './conditions/removed-values.ts'
export { readStoredConditions, type StoredCondition } from './conditions/stored-conditions.ts'
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
export {
  businessPageSchema,
  businessSummarySchema,
  MAX_FILTER_BYTES,
  removedFilterValueSchema,
  type Sort,
  sorts,
} from './prospect-list.schema.ts'
