/**
 * The suppression centre: the front door, all that other rooms may use. `gate` is the one question that every exit asks before it
 * writes, answers, stores or hands on contact values (Global rule 5, Phase 12 §5). A match marks its business by the database's own
 * triggers (migrations 0014 and 0045), so no room has to remember to.
 */
export { carryEntries, entriesInForce } from './carry-entries.ts'
export { type GateMatch, gate, hasLiveEntries } from './gate.ts'
export { gateDecisions } from './gate-decisions.ts'
export { HIDDEN, hidesValuesFrom } from './hidden-values.ts'
export { beginEvaluated, reevaluateWhereRulesChanged } from './keep-evaluated.ts'
export { keepTombstones } from './keep-tombstones.ts'
export { type ContactValue, type ReadContact, recordKeysOf, recordKeysOfRead } from './match-keys.rules.ts'
export { forgetRecordKeys, keepEvidenceKeys, keepMatches, keepRecordKeys } from './record-matches.ts'
export { contactValuesOf } from './reevaluate.ts'
