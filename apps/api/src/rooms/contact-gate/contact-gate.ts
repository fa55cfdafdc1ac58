/**
 * Public module of the gate of contact data (Global rule 5, Phase 12 §5). The room has four parts: the keys of contact values; `gate`, which every
 * exit calls before it writes, returns, stores or exports a contact value; the rows of suppression entries; and the matches between businesses and
 * entries. The suppression room adds, lists and removes entries. `businesses/blocks/` marks businesses.
 */
export {
  channels,
  type MatchCause,
  type Scope,
  type SuppressionHistoryTable,
  type SuppressionTable,
} from './contact-gate.table.ts'
export type { ContactText } from './contact-text.ts'
export {
  confirmEntry,
  endEntry,
  findLiveEntry,
  insertEntry,
  insertEntryKeys,
  insertHistory,
  keysOfEntry,
  saveEntryRules,
} from './entries/entries.queries.ts'
export { type GateMatch, type GateReader, gate, hasLiveEntries } from './gate/gate.ts'
export { gateDecisions } from './gate/gate-decisions.ts'
export { gateForMany } from './gate/gate-for-many.ts'
export { HIDDEN, hidesValuesFrom } from './gate/hidden-values.ts'
export { findHiddenValues, requireMayBeStored } from './gate/typed-values.ts'
export {
  type ContactValue,
  entryKey,
  entryKeysFor,
  type KeyRange,
  type NormalizedContact,
  RULES_VERSION,
  recordKeyRanges,
  recordKeysOf,
  recordKeysOfNormalized,
  tombstoneKeysOf,
} from './keys/contact-keys.rules.ts'
export { keyHasher } from './keys/key-hash.ts'
export { pageOf } from './keys/pages.rules.ts'
export { endMatches, insertMatches, liveMatchesOf } from './matches/matches.queries.ts'
export {
  businessesInRanges,
  deleteRecordKeys,
  findBusinessesWithKeys,
  insertEvidenceKeys,
  numberOf,
  replaceRecordKeys,
} from './matches/record-keys.ts'
