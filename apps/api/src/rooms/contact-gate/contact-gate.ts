/**
 * The gate of contact data (Global rule 5, Phase 12 §5): contact keys, the question `gate` that every exit asks before it writes, returns,
 * stores or exports a contact value, the rows of suppression entries, and the matches that tie a business to entries. Adding, listing and
 * removing entries belongs to the suppression room, marking businesses to `businesses/blocks/`.
 */
export {
  channels,
  type MatchCause,
  type Scope,
  type SuppressionHistoryTable,
  type SuppressionTable,
} from './contact-gate.table.ts'
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
export { type GateMatch, gate, hasLiveEntries } from './gate/gate.ts'
export { gateDecisions } from './gate/gate-decisions.ts'
export { gateForMany } from './gate/gate-for-many.ts'
export { HIDDEN, hidesValuesFrom } from './gate/hidden-values.ts'
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
export { isSharedHost, pageOf } from './keys/pages.rules.ts'
export { mailAddressesIn, numbersIn, phoneAsTyped, withoutExtension } from './keys/readings.rules.ts'
export { visibleText } from './keys/visible-text.rules.ts'
export { endMatches, insertMatches, liveMatchesOf } from './matches/matches.queries.ts'
export { businessesInRanges, deleteRecordKeys, insertEvidenceKeys, replaceRecordKeys } from './matches/record-keys.ts'
