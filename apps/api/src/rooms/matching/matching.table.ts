// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    match_records: MatchRecordTable
    match_keys: MatchKeyTable
    match_snapshots: MatchSnapshotTable
    match_suggestions: MatchSuggestionTable
    match_suggestion_counts: MatchSuggestionCountTable
  }
}

export type MatchRecordTable = {
  tenant_id: string
  business_id: string
  name_key: number
  building_key: number | null
  number_key: number | null
  digits_key: number | null
  facts: number
  normalization_version: string
}

/** One row per lookup key of a record, stored in key order */
type MatchKeyTable = { tenant_id: string; key: number; business_id: string }

export type MatchSnapshotTable = {
  tenant_id: string
  id: string
  created_at: string
  records: number
  /** JSON: word → number of names that contain it */
  words: string
  content_hash: string
  normalization_version: string
  algorithm_version: string
  suffix_list_version: string
}

export const suggestionStatuses = ['open', 'rejected', 'merged', 'superseded'] as const
export type SuggestionStatus = (typeof suggestionStatuses)[number]

export type MatchSuggestionTable = {
  tenant_id: string
  id: string
  business_a: string
  business_b: string
  status: SuggestionStatus
  score: number
  evidence: ContactText
  canonical: ContactText
  facts: string
  normalization_version: string
  algorithm_version: string
  snapshot_id: string
  renews: string | null
  created_at: string
  updated_at: string
  decided_at: string | null
  decided_by: string | null
  decision_reason: string | null
}

/**
 * Number of suggestions by status and band, maintained by triggers (docs/decisions/counts-are-kept-by-triggers.md); `band` is derived from the score
 */
export type MatchSuggestionCountTable = {
  tenant_id: string
  status: SuggestionStatus
  band: 'strong' | 'review'
  count: number
}
