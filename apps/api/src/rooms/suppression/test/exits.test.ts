import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { declaredColumns } from '../../../../test/declared-columns.ts'

/*
 * Compares the list of exits of contact values with the code (Phase 12 §5). Every file that reads or writes contact values must be in the list with
 * the check that it makes, so a new file fails this test until it is listed. Reasons count as contact values too, because they are free text and can
 * contain one (docs/decisions/free-text-is-withheld-whole.md).
 */

const source = join(import.meta.dirname, '../../..')

/**
 * Requirement for a file that handles contact values. `asks`: words of its suppression check, each of which must occur in the file. `isNoExit`: reason
 * why the file needs no check of its own.
 */
type Exit = { asks: readonly string[] } | { isNoExit: string }

const MARKED = 'the schema of the response marks what is hidden (http/hidden-fields.ts)'

const exits: Record<string, Exit> = {
  'rooms/businesses/record/add-identifier.ts': { isNoExit: 'adds through editBusiness, which asks' },
  'rooms/businesses/record/create-business.ts': { asks: ['gate(', 'replaceRecordKeys(', 'markNew('] },
  'rooms/businesses/record/edit-business.ts': {
    asks: ['gate(', 'replaceRecordKeys(', 'markMatched(', 'insertTombstones('],
  },
  'rooms/businesses/businesses.routes.ts': { asks: ['eventsForReader('] },
  'rooms/businesses/record/renormalize.ts': { asks: ['gate(', 'replaceRecordKeys(', 'markInStep('] },
  'rooms/businesses/record/hide-values.ts': { asks: ['hidesValuesFrom('] },
  'rooms/prospect-list/conditions/business-filter.ts': { isNoExit: 'compares numbers in SQL, and answers none' },
  'rooms/prospect-list/list/list-businesses.ts': { isNoExit: MARKED },
  'rooms/contact-hours/hours.rules.ts': { isNoExit: 'the reasons are sentences of the product about hours' },
  'rooms/prospect-list/conditions/compile-conditions.ts': { asks: ['hidesValuesFrom('] },
  'rooms/businesses/record/typed-values.ts': { isNoExit: 'pure; answers the values that the asker sent' },
  'rooms/businesses/record/possible-duplicates.ts': {
    isNoExit: 'answers the values that the asker sent, and marks what is do not contact',
  },
  'rooms/businesses/businesses.queries.ts': {
    isNoExit: 'reads for the rooms; the schema of a business marks its values',
  },
  'rooms/businesses/record/known-identifiers.ts': {
    isNoExit: 'answers who holds a value that the asker has, and marks what is do not contact',
  },
  'rooms/businesses/record/deactivate-business.ts': {
    isNoExit: 'changes the status; the schema of a business marks its values',
  },
  'rooms/prospect-list/conditions/further-conditions.ts': {
    isNoExit: 'compares whether a record has an identifier; returns no value',
  },
  'rooms/interactions/interactions.routes.ts': {
    isNoExit: 'the schemas of a business and of an interaction mark their values',
  },
  'rooms/businesses/blocks/block-again.ts': { isNoExit: 'blocks; answers ids and reasons of blocks' },
  'rooms/businesses/blocks/block-by-hand.ts': {
    isNoExit: 'writes reasons; the removal answers only people who may see values',
  },
  'rooms/businesses/blocks/block-rows.ts': { isNoExit: 'writes reasons' },
  'rooms/businesses/blocks/carry-blocks.ts': {
    isNoExit: 'writes reasons into the audit, which eventsForReader hides',
  },
  'rooms/csv-preview/csv/suppressed-values.ts': { asks: ['gateForMany('] },
  'rooms/csv-preview/csv/headings.data.ts': { isNoExit: 'lists words of column headings, such as "emails"' },
  'rooms/csv-preview/csv/known-values.ts': {
    isNoExit: 'keeps hashes of values to look up fewer; answers holders, marked',
  },
  'rooms/matching/rules/blocking.rules.ts': { isNoExit: 'pure' },
  'rooms/matching/rules/compare-records.rules.ts': { isNoExit: 'pure' },
  'rooms/matching/rules/match-record.ts': { isNoExit: 'shapes' },
  'rooms/matching/rules/outlines.rules.ts': { isNoExit: 'pure; numbers that stand for records' },
  'rooms/matching/rules/read-record.ts': { isNoExit: 'reads for comparing' },
  'rooms/matching/rules/record-values.ts': { isNoExit: 'holds values once while records are compared' },
  'rooms/matching/rules/findings.rules.ts': { isNoExit: 'pure; what it finds is answered by suggestions alone' },
  'rooms/matching/suggestions/match-input.queries.ts': { isNoExit: 'reads for comparing' },
  'rooms/matching/suggestions/match-inputs.queries.ts': { isNoExit: 'reads for comparing' },
  'rooms/matching/run/match-inputs.stream.ts': { isNoExit: 'reads for comparing' },
  'rooms/matching/run/packed-record.ts': { isNoExit: 'holds records in memory while a run compares them' },
  'rooms/matching/matching.schema.ts': { isNoExit: 'shapes' },
  'rooms/matching/suggestions/suggestions.ts': { isNoExit: 'answers through matching.routes.ts' },
  'rooms/matching/matching.routes.ts': { asks: ['suggestionForReader(', 'summariesForReader('] },
  'rooms/matching/suggestions/hide-suggestion-values.ts': {
    asks: ['forReader(', 'hidesValuesFrom(', 'hidesWordsAbout(', 'findHiddenValues('],
  },
  'rooms/businesses/family/business-child.ts': { asks: ['hidesWrittenFor(', 'findHiddenValues('] },
  'rooms/businesses/family/merge-records.ts': { asks: ['gate(', 'replaceRecordKeys('] },
  'rooms/matching/merging/merge-plan.rules.ts': { isNoExit: 'pure' },
  'rooms/matching/merging/merge-businesses.ts': { asks: ['await rewriteRecord(', 'carryToSurvivor('] },
  'rooms/matching/merging/reverse-merge.ts': { asks: ['markMatched(', 'await rewriteRecord('] },
  'rooms/matching/merging/count-children.ts': { isNoExit: 'answers counts alone' },
  'rooms/matching/merging/merge-checks.ts': { isNoExit: 'answers names and pipeline states alone' },
  'rooms/matching/merging/merge-snapshot.ts': { isNoExit: 'stores a snapshot; answers its hash and counts' },
  'rooms/matching/merging/merges.queries.ts': {
    isNoExit: 'reads for the room; the schema of a merge marks what is hidden',
  },
  'rooms/matching/suggestions/suggestions.queries.ts': { isNoExit: 'reads for the room' },
  'rooms/matching/merging/merge-choices.ts': {
    isNoExit: 'ids and numbers of evidence for fields that are no contact values',
  },
  'rooms/matching/merging/merge-read-back.ts': {
    isNoExit: 'compares; what goes into the audit is hidden by eventsForReader',
  },
  'rooms/matching/merging/reversal-state.ts': { isNoExit: 'decides about blocks; answers counts and ids alone' },
  'rooms/matching/merging/read-merges.ts': { isNoExit: 'answers counts and fields that are no contact values' },
  'rooms/reports/figures.queries.ts': { isNoExit: 'counts evidence; answers numbers alone' },
  'rooms/prospect-list/list/export-records.ts': { isNoExit: 'reads for the exports room, which asks for every record' },
  'rooms/businesses/record/erase-business.ts': { isNoExit: 'takes values away' },
  'rooms/evidence/evidence-count.ts': { isNoExit: 'counts evidence; writes a number' },
  'rooms/health/integrity/counts.queries.ts': { isNoExit: 'counts evidence; answers ids and numbers' },
  'rooms/matching/suggestions/erase-matches.ts': { isNoExit: 'empties what was compared' },
  'rooms/erasure/erasure.ts': { asks: ['insertTombstones('] },
  'rooms/exports/write-export.ts': { asks: ['gate(', 'hasLiveEntries('] },
  'rooms/exports/still-allowed.ts': { asks: ['gate(', 'findWithdrawn('] },
  'rooms/exports/export-lines.rules.ts': { isNoExit: 'pure; is told what is suppressed' },
  'rooms/registry/cleaning-state.ts': { isNoExit: 'answers times and whether values were compared; returns no value' },
  'rooms/registry/values.queries.ts': {
    isNoExit: 'reads for write-round-file.ts, read-result.ts and download-file.ts, which ask',
  },
  'rooms/registry/write-round-file.ts': { asks: ['gate('] },
  'rooms/registry/read-result.ts': { asks: ['gate('] },
  'rooms/registry/download-file.ts': { asks: ['gate(', 'isAnyHolderBlocked('] },
  'rooms/scoring/scores/hold-scores.ts': { isNoExit: 'answers points and states alone' },
  'rooms/requests/hold-requests.ts': { isNoExit: 'reads for rooms/holdings/write-holding.ts, which asks' },
  'rooms/matching/suggestions/hold-matches.ts': { isNoExit: 'reads for rooms/holdings/write-holding.ts, which asks' },
  'rooms/drafts/writing/held-drafts.ts': { isNoExit: 'names columns; holds no values' },
  'rooms/businesses/record/held-tables.ts': { isNoExit: 'names columns; holds no values' },
  'rooms/holdings/write-holding.ts': { asks: ['gate('] },
  'rooms/holdings/provenance.ts': { isNoExit: 'reads for write-holding.ts, which asks' },
  'rooms/holdings/find-subject.ts': {
    isNoExit: 'finds which records have a value; reads for write-holding.ts, which asks',
  },
  'rooms/holdings/holdings.ts': {
    isNoExit: 'answers the value of a collection to those who requested it; all of them see contact values',
  },
  'rooms/holdings/holdings.queries.ts': { isNoExit: 'reads for holdings.ts' },
  'rooms/holdings/delete-files.ts': { isNoExit: 'takes values away' },
  'rooms/holdings/holdings.jobs.ts': { isNoExit: 'takes the value of a failed collection away' },
  'rooms/requests/requests.ts': {
    isNoExit: 'answers where a person is answered to those with requests.read, all of whom see contact values',
  },
  'rooms/requests/requests.queries.ts': { isNoExit: 'reads for requests.ts' },
  'rooms/requests/empty-requests.ts': { isNoExit: 'takes values away' },
  'rooms/businesses/record/write-business.ts': { isNoExit: 'shapes rows for create and edit, which ask' },
  'rooms/businesses/businesses.schema.ts': { isNoExit: 'shapes' },
  'rooms/businesses/search/search-text.rules.ts': {
    isNoExit: 'text for the index; whoever may not see finds by names alone',
  },
  'rooms/notes/notes.ts': { isNoExit: MARKED },
  'rooms/pipeline/pipeline.ts': { isNoExit: MARKED },
  'rooms/pipeline/pipeline.queries.ts': { isNoExit: MARKED },
  'rooms/evidence/evidence.ts': {
    asks: ['gate(', 'insertEvidenceKeys(', 'markMatched(', 'hidesWrittenFor(', 'findHiddenValues(', 'contactsOf,'],
  },
  'rooms/evidence/evidence.queries.ts': { isNoExit: 'reads for evidence.ts, which hides' },
  'rooms/businesses/record/facts.data.ts': { isNoExit: 'names the facts; holds no values' },
  'rooms/evidence/evidence.rules.ts': { isNoExit: 'pure' },
  'rooms/evidence/evidence.schema.ts': { isNoExit: 'shapes' },
  'rooms/sources/records/source-records.ts': { asks: ['gate(', 'addEvidence(', 'hidesWrittenFor('] },
  'rooms/sources/records/records.queries.ts': { isNoExit: 'reads for source-records.ts, which hides' },
  'rooms/sources/records/raw-deletion.ts': { isNoExit: 'takes raw text away; answers ids and counts' },
  'rooms/sources/asking/queries.ts': { isNoExit: 'looks whether a business may be asked about; answers outcomes' },
  'rooms/sources/registry/history.ts': { isNoExit: 'reasons about sources, for those who see contact values' },
  'rooms/sources/circuit/circuit.queries.ts': { isNoExit: 'reasons about sources, for those who see contact values' },
  'rooms/sources/circuit/incidents.ts': { isNoExit: 'reasons about sources, for those who see contact values' },
  'rooms/domains/candidates/candidates.ts': {
    asks: ['gate(', 'isWithheld(', 'markMatched(', 'insertEvidenceKeys('],
  },
  'rooms/domains/candidates/candidates.queries.ts': {
    isNoExit: 'reads for candidates.ts, whose schema marks what is hidden',
  },
  'rooms/domains/candidates/rejections.queries.ts': {
    isNoExit: 'counts and rejects candidates; answers ids and numbers',
  },
  'rooms/domains/candidates/facts.queries.ts': { isNoExit: 'reads for deriving candidates' },
  'rooms/domains/candidates/wanted.rules.ts': { isNoExit: 'pure' },
  'rooms/domains/candidates/refresh-candidates.ts': { asks: ['gate('] },
  'rooms/domains/list/domains.ts': { asks: ['hidesValuesFrom(', 'findHiddenValues(', 'isWithheld('] },
  'rooms/domains/names/withheld.ts': { asks: ['gate(', 'hidesValuesFrom('] },
  'rooms/domains/dns/observations.ts': { asks: ['gate(', 'isWithheld('] },
  'rooms/domains/erase-domains.ts': { isNoExit: 'takes values away' },
  'rooms/scanning/supplied/supply-page.ts': { asks: ['requireMayBeStored('] },
  'rooms/scanning/scans/page-evidence.ts': { asks: ['requireMayBeStored('] },
  'rooms/scanning/fetching/request-scan.ts': { asks: ['requireMayBeStored('] },
  'rooms/scanning/fetching/run-scan.ts': { asks: ['gate('] },
  'rooms/scanning/sites/official-sites.ts': { asks: ['requireMayBeStored('] },
  'rooms/contacts/candidates/decide-candidate.ts': { asks: ['askGate('] },
  'rooms/contacts/candidates/find-suppressed.ts': { asks: ['askGate('] },
  'rooms/contacts/candidates/read-candidates.ts': { asks: ['findSuppressed('] },
  'rooms/contacts/candidates/save-findings.ts': { asks: ['askGate('] },
  'rooms/contacts/extractions/read-extractions.ts': { asks: ['findSuppressed('] },
  'rooms/contacts/extractions/run-extraction.ts': { asks: ['saveFindings(', 'preventing('] },
  'rooms/contacts/upkeep/empty-candidates.ts': { asks: ['findSuppressed('] },
  'rooms/suppression/reevaluation/reevaluate.ts': {
    asks: ['gate(', 'replaceRecordKeys(', 'insertEvidenceKeys(', 'markInStep('],
  },
  'rooms/suppression/entries/values-of-record.ts': { asks: ['gate(', 'hidesValuesFrom('] },
  'rooms/people/people.sample.ts': { isNoExit: 'adds through addPerson, which asks' },
  'rooms/people/erase-person.ts': { asks: ['insertTombstones(', 'writeValues('] },
  'rooms/people/join-people.ts': { asks: ['writeValues('] },
  'rooms/people/person-values.ts': { asks: ['gate(', 'replaceRecordKeys(', 'markMatched(', 'insertTombstones('] },
  'rooms/people/read-people.ts': { asks: ['gate(', 'hidesValuesFrom('] },
  'rooms/people/write-person.ts': { asks: ['writeValues('] },
  'rooms/people/block-person.ts': { asks: ['suppressValues('] },
  'rooms/people/people.queries.ts': { isNoExit: 'reads for read-people.ts, which hides' },
  'rooms/people/people.schema.ts': { isNoExit: 'shapes' },
  'rooms/suppression/entries/block-with-values.ts': { isNoExit: 'blocks; the schema of a business marks its values' },
  'rooms/suppression/suppression.routes.ts': { asks: ['listValuesOfRecord('] },
  'rooms/suppression/missing-matches.ts': { asks: ['gate('] },
  'rooms/scoring/records/record-rows.queries.ts': { isNoExit: 'reads for scoring; a live match blocks the record' },
  'rooms/scoring/records/assemble-record.ts': { isNoExit: 'compares values and leaves counts and times of them' },
  'rooms/scoring/records/scoring-record.ts': { isNoExit: 'shapes; holds no values' },
  'rooms/scoring/signals/record.signals.ts': { isNoExit: 'pure; reads counts' },
  'rooms/scoring/signals/all-signals.ts': { isNoExit: 'names the signals' },
  'rooms/scoring/rules/templates.data.ts': { isNoExit: 'names signals' },
  'rooms/scoring/scores/explain-score.ts': { asks: ['hidesValuesFrom('] },
  'rooms/scoring/scores/score-history.ts': { isNoExit: 'answers bands and numbers alone' },
  'rooms/scoring/rule-sets/rule-sets.queries.ts': { isNoExit: 'reads reasons about rules, not about a record' },
  'rooms/scoring/rule-sets/versions.ts': { isNoExit: 'writes no reason' },
  'rooms/assist/brief/read-brief.ts': { asks: ['forReader(', 'hidesWrittenFor(', 'evidenceForReader('] },
  'rooms/assist/prompts/check-selection.ts': { asks: ['gate(', 'examineEvidence('] },
  'rooms/assist/suggestions/read-suggestions.ts': { asks: ['hidesWrittenFor('] },
  'rooms/assist/suggestions/suggestion-state.ts': { isNoExit: 'compares hashes and states; answers codes and ids' },
  'rooms/assist/suggestions/citable-items.ts': { isNoExit: 'compares what was sent, which check-selection redacted' },
  'rooms/assist/suggestions/suggestions.queries.ts': { isNoExit: 'reads for read-suggestions.ts, which hides' },
  'rooms/assist/suggestions/request-suggestion.ts': { isNoExit: 'stores ids and hashes; check-selection asks' },
  'rooms/approvals/approvals.ts': { isNoExit: 'names the columns of a decision; the rooms hide the reasons' },
  'rooms/drafts/policies/policies.queries.ts': { isNoExit: 'reads reasons about policies, not about a record' },
  'rooms/assist/policies/policies.queries.ts': { isNoExit: 'reads reasons about policies, not about a record' },
  'rooms/assist/policies/policies.ts': { isNoExit: 'writes reasons about policies, not about a record' },
  'rooms/assist/brief/brief.queries.ts': { isNoExit: 'counts and ids; reads for read-brief.ts, which hides' },
  'rooms/review/bulk/apply-to-record.ts': { asks: ['gate('] },
  'rooms/review/bulk/preview-bulk.ts': { isNoExit: 'asks what evidence contradicts; answers counts and ids' },
  'rooms/review-decisions/review-follower.ts': { isNoExit: 'compares hashes of records; answers nothing' },
  'rooms/review-decisions/open-review.ts': { isNoExit: 'answers a hash, states and names of fields' },
  'rooms/review-decisions/review-fingerprint.ts': { isNoExit: 'hashes values; answers the hash and names of fields' },
  'rooms/review-decisions/reviews.queries.ts': {
    isNoExit: 'counts evidence; reads for reviews.ts, whose schema marks what is hidden',
  },
  'rooms/drafts/checks/read-check-input.ts': { asks: ['await gate('] },
  'rooms/drafts/checks/check-input.queries.ts': { isNoExit: 'reads for the checks, which answer no value' },
  'rooms/drafts/content/content.rules.ts': { isNoExit: 'pure' },
  'rooms/drafts/copies/copy-draft.ts': { asks: ['requireApproved(', 'whyWithheld('] },
  'rooms/drafts/content/recipient-gate.ts': { asks: ['requireMayBeStored('] },
  'rooms/drafts/legal-bases/legal-bases.ts': {
    asks: [
      'requireRecipient(',
      'hidesWrittenFor(',
      'reasonForReader(',
      'findHiddenValues(',
      'contactsOf: storedContactsOf',
    ],
  },
  'rooms/drafts/legal-bases/legal-bases.queries.ts': { isNoExit: 'reads for legal-bases.ts, which hides' },
  'rooms/drafts/writing/erase-drafts.ts': { isNoExit: 'takes values away' },
  'rooms/drafts/writing/save-draft.ts': { asks: ['requireRecipient('] },
  'rooms/drafts/writing/drafts.queries.ts': { isNoExit: 'reads for read-drafts.ts, which hides' },
  'rooms/drafts/writing/read-drafts.ts': {
    asks: ['hidesWrittenFor(', 'hidesWordsAbout(', 'findHiddenRecords(', 'findHiddenValues('],
  },
  'rooms/scoring/scores/changed-records.queries.ts': { isNoExit: 'reads which records changed; answers ids' },
  'rooms/sources/asking/permits.queries.ts': {
    isNoExit: 'counts requests of a source; no route returns a target or a request',
  },
  'rooms/scanning/sites/sites.queries.ts': { isNoExit: 'reads for official-sites.ts, which hides' },
  'rooms/scanning/scans/scans.queries.ts': { isNoExit: 'reads for read-scans.ts, which hides' },
  'rooms/scanning/fetching/fetch-pages.ts': { isNoExit: 'requests pages; run-scan.ts asks before it stores one' },
  'rooms/matching/suggestions/list-suggestions.ts': { isNoExit: 'answers through matching.routes.ts' },
  'rooms/matching/suggestions/match-keys.queries.ts': {
    isNoExit: 'reads for comparing; numbers that stand for records',
  },
  'rooms/domains/names/domain-names.queries.ts': { isNoExit: 'stores names; reads for domains.ts, which hides' },
  'rooms/domains/list/domains.queries.ts': { isNoExit: 'reads for domains.ts, which hides' },
  'rooms/domains/dns/cache.queries.ts': { isNoExit: 'finds fresh observations again; answers ids' },
  'rooms/domains/dns/observations.queries.ts': { isNoExit: 'reads for observations.ts, which hides' },
  'rooms/domains/candidates/accepted-domains.ts': { isNoExit: 'reads for official sites, which ask' },
  'rooms/domains/candidates/follow.queries.ts': { isNoExit: 'reads what changed; answers ids and numbers' },
  'rooms/domains/candidates/surroundings.ts': {
    isNoExit: 'reads for evaluating; the schemas mark lookalikes',
  },
  'rooms/domains/candidates/uses.queries.ts': { isNoExit: 'stores which record uses a domain; reads for deriving' },
  'rooms/contacts/extractions/extractions.queries.ts': { isNoExit: 'reads for read-extractions.ts, which hides' },
  'rooms/contacts/extractions/request-extraction.ts': { isNoExit: 'stores an extraction that has read no page' },
  'rooms/contacts/enablement/enablement.queries.ts': { isNoExit: 'counts; answers numbers' },
  'rooms/contacts/candidates/candidates.queries.ts': { isNoExit: 'reads for read-candidates.ts, which asks' },
  'rooms/assist/suggestions/ask-for-completion.ts': { isNoExit: 'counts permits; no route returns a target' },
  'rooms/prospect-list/conditions/spellings.ts': {
    isNoExit: 'finds records by a city, an industry, a source or a role; answers ids and counts',
  },
}

/** Columns that are declared as contact values. `contact-columns.test.ts` tests each of them. */
const contactColumns = declaredColumns().filter(({ type }) => /\bContactText\b/.test(type))

/**
 * Pattern of a file that queries a table with such a column, or names one. A query of `businesses` alone is no sign, because most rooms read the name or
 * the state of a record; its contact columns have names of their own. Entries are read by the gate and the suppression room.
 */
const tables = [...new Set(contactColumns.map(({ table }) => table))]
  .filter((table) => !['businesses', 'suppressions'].includes(table))
  .join('|')
const named = contactColumns.flatMap(({ column }) => (column.includes('_') ? column : [])).join('|')
const columnSigns = new RegExp(
  `(?:selectFrom|insertInto|updateTable|deleteFrom|Join)\\('(?:${tables})\\b|(?:FROM|INTO|UPDATE|JOIN|thenJoin\\}) (?:${tables})\\b|sql<\\w+>\`(?:${tables})\`|\\b(?:${named})\\b`,
)

/** Pattern of a file that handles contact values or reasons: names of their tables and columns, or functions that return a business with them. */
const signs =
  /business_identifiers|primary_(?:email|phone|domain)|selectFrom\('evidence|insertInto\('evidence|FROM evidence|\bemails\b|facts\[\w+\]\.list|getBusiness\(|(?:blocked|decision|reversal)_reason|pipeline_transitions/

/** Files that read only whether a business exists, its state, or how many rows there are, and return none of its values. */
const onlyLookUp = ['rooms/businesses/record/business-state.ts', 'rooms/drafts/waiting.ts']

/** Files that handle contact values without matching the pattern, through calls or under other names. */
const withoutSigns = [
  'rooms/prospect-list/conditions/spellings.ts',
  'rooms/prospect-list/conditions/compile-conditions.ts',
  'rooms/businesses/record/possible-duplicates.ts',
  'rooms/businesses/search/search-text.rules.ts',
  'rooms/evidence/evidence.schema.ts',
  'rooms/exports/still-allowed.ts',
  'rooms/exports/write-export.ts',
  'rooms/matching/matching.routes.ts',
  'rooms/matching/merging/merge-snapshot.ts',
  'rooms/registry/download-file.ts',
  'rooms/registry/read-result.ts',
  'rooms/registry/write-round-file.ts',
  'rooms/contacts/candidates/decide-candidate.ts',
  'rooms/contacts/candidates/find-suppressed.ts',
  'rooms/contacts/extractions/read-extractions.ts',
  'rooms/csv-preview/csv/suppressed-values.ts',
  'rooms/drafts/copies/copy-draft.ts',
  'rooms/domains/dns/observations.ts',
  'rooms/domains/list/domains.ts',
  'rooms/scanning/scans/page-evidence.ts',
]

/** True for files of sample data. They need no check of their own, because they use createBusiness and addEvidence, which call the gate. */
const isSample = (file: string) => file.startsWith('rooms/sample-data/')
const isForTests = (file: string) => /\.(test|fixture|acceptance)\.ts$|\/test\//.test(file)
/**
 * True for files that contain only names of tables, columns and codes, and no values. `contact-columns.test.ts` reads the declared columns. A
 * `<room>.room.ts` names columns that an erasure empties.
 */
const isLiteral = (file: string) => /\.(facts|migrations|table|room)\.ts$/.test(file)

function handlers(): string[] {
  return globSync('rooms/**/*.ts', { cwd: source })
    .filter((file) => !isForTests(file) && !isSample(file) && !isLiteral(file))
    .filter((file) => signs.test(code(file)) || columnSigns.test(code(file)))
}

function code(file: string): string {
  return readFileSync(join(source, file), 'utf8').replace(/\/\*.*?\*\//gs, '')
}

test('every file that handles contact values is a known exit, or states why it is none', () => {
  expect(handlers().filter((file) => !(file in exits) && !onlyLookUp.includes(file))).toEqual([])
})

test('every known exit exists and makes its check', () => {
  const present = new Set(handlers())
  for (const [file, exit] of Object.entries(exits)) {
    if ('isNoExit' in exit) continue
    const text = code(file)
    expect([file, exit.asks.filter((word) => !text.includes(word))]).toEqual([file, []])
  }
  const gone = [...Object.keys(exits), ...onlyLookUp].filter((file) => !present.has(file))
  expect(gone.toSorted()).toEqual(withoutSigns.toSorted())
})

test('contact values are hidden in one place, and the gate is one function', () => {
  const all = globSync('rooms/**/*.ts', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))
  const holding = (pattern: RegExp) => all.filter((file) => pattern.test(code(file)))
  expect(holding(/FROM suppression_keys|selectFrom\('suppression_keys/).sort()).toEqual([
    // inserts the keys of entries
    'rooms/contact-gate/entries/entries.queries.ts',
    // checks with the gate every value that an active entry could match
    'rooms/contact-gate/gate/gate-for-many.ts',
    'rooms/contact-gate/gate/gate.ts',
    // compares keys with the status of their entry, and returns ids only
    'rooms/health/integrity/entries.queries.ts',
    'rooms/suppression/suppression.queries.ts',
  ])
  expect(holding(/'suppression\.see_values'/).sort()).toEqual([
    'rooms/contact-gate/contact-gate.facts.ts',
    'rooms/contact-gate/gate/hidden-values.ts',
    // lists every permission that an access token can have
    'rooms/tokens/token-permissions.data.ts',
  ])
})
