import { identity } from './0001-identity.ts'
import { audit } from './0002-audit.ts'
import { businesses } from './0003-businesses.ts'
import { businessCounts } from './0004-business-counts.ts'
import { businessSearch } from './0005-business-search.ts'
import { evidence } from './0006-evidence.ts'
import { notes } from './0007-notes.ts'
import { pipeline } from './0008-pipeline.ts'
import { accounts } from './0009-accounts.ts'
import { spentTokens } from './0010-spent-tokens.ts'
import { speed } from './0011-speed.ts'
import { jobs } from './0012-jobs.ts'
import { suppression } from './0014-suppression.ts'
import { interactions } from './0015-interactions.ts'
import { reports } from './0016-reports.ts'
import { matching } from './0017-matching.ts'
import { merges } from './0018-merges.ts'
import { spentSessions } from './0019-spent-sessions.ts'
import { exportsOfTenants } from './0020-exports.ts'
import { erasure } from './0021-erasure.ts'
import { matchSuggestionCounts } from './0022-match-suggestion-counts.ts'
import { lostMergeAttempts } from './0023-lost-merge-attempts.ts'
import { matchKeys } from './0023-match-keys.ts'
import { jobEventRetention } from './0024-job-event-retention.ts'
import { suppressionReview } from './0026-suppression-review.ts'
import { interactionsOfAReport } from './0027-interactions-of-a-report.ts'
import { erasedSearches } from './0031-erased-searches.ts'
import { fewerIndexes } from './0034-fewer-indexes.ts'
import { erasedTraces } from './0037-erased-traces.ts'
import { listsByTagAndPlace } from './0039-lists-by-tag-and-place.ts'
import { searchMergesInSteps } from './0041-search-merges-in-steps.ts'
import { newSuggestionsAreCountedTogether } from './0042-new-suggestions-are-counted-together.ts'
import { survivorsAreFoundByMergedNames } from './0044-survivors-are-found-by-merged-names.ts'
import { valuesBesideExportsAreHashed } from './0046-values-beside-exports-are-hashed.ts'
import { aDayStandsWhereOnlyADayIsKnown } from './0047-a-day-stands-where-only-a-day-is-known.ts'
import { recordsWithoutKeysAreEvaluated } from './0048-records-without-keys-are-evaluated.ts'
import { eventsAreFoundByWhatTheyAreAbout } from './0050-events-are-found-by-what-they-are-about.ts'
import { checksOpenNoTables } from './0051-checks-open-no-tables.ts'
import { newestCheckpointsAreRecorded } from './0052-newest-checkpoints-are-recorded.ts'
import { whoAKeyAndASessionAreFor } from './0053-who-a-key-and-a-session-are-for.ts'
import { aTenantHasACountry } from './0055-a-tenant-has-a-country.ts'
import { leases } from './0056-leases.ts'
import { identifiersHaveAnIndex } from './0057-identifiers-have-an-index.ts'
import type { Migration } from './migration.ts'

/** In order; the position is the schema version. */
export const migrations: readonly Migration[] = [
  identity,
  audit,
  businesses,
  businessCounts,
  businessSearch,
  evidence,
  notes,
  pipeline,
  accounts,
  spentTokens,
  speed,
  jobs,
  suppression,
  interactions,
  reports,
  matching,
  merges,
  spentSessions,
  matchSuggestionCounts,
  lostMergeAttempts,
  exportsOfTenants,
  jobEventRetention,
  matchKeys,
  erasure,
  suppressionReview,
  interactionsOfAReport,
  erasedSearches,
  fewerIndexes,
  listsByTagAndPlace,
  erasedTraces,
  searchMergesInSteps,
  newSuggestionsAreCountedTogether,
  survivorsAreFoundByMergedNames,
  valuesBesideExportsAreHashed,
  aDayStandsWhereOnlyADayIsKnown,
  recordsWithoutKeysAreEvaluated,
  eventsAreFoundByWhatTheyAreAbout,
  checksOpenNoTables,
  newestCheckpointsAreRecorded,
  whoAKeyAndASessionAreFor,
  aTenantHasACountry,
  leases,
  identifiersHaveAnIndex,
]
