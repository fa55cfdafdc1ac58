// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ContactText } from './contact-text.ts'

declare module '../../store/database.ts' {
  interface Database {
    suppressions: SuppressionTable
    suppression_keys: SuppressionKeyTable
    suppression_history: SuppressionHistoryTable
    suppression_record_keys: SuppressionRecordKeyTable
    suppression_matches: SuppressionMatchTable
  }
}

export type Scope = 'exact' | 'with_subdomains'

export const channels = ['email', 'phone', 'letter', 'in_person', 'website', 'registry', 'internal', 'other'] as const
export type Channel = (typeof channels)[number]

export type SuppressionTable = {
  tenant_id: string
  id: string
  kind: 'email' | 'phone' | 'domain'
  scope: Scope
  /** the value as typed; null for a tombstone, which has only hashed keys */
  original: ContactText | null
  normalized: ContactText | null
  region: string | null
  rules_version: string
  reason: string
  requested_by: string | null
  channel: Channel
  reference: string | null
  requested_at: string
  created_at: string
  created_by: string
  /** the last time at which a person requested the entry again; it restarts the review term */
  confirmed_at: string | null
  tombstone: 0 | 1
  status: 'active' | 'removed'
  ended_at: string | null
  ended_by: string | null
  ended_reason: string | null
}

type SuppressionKeyTable = { tenant_id: string; key: string; suppression_id: string; live: 0 | 1 }

export type HistoryAction = 'added' | 'requested_again' | 'removed' | 'reevaluated'

export type SuppressionHistoryTable = {
  tenant_id: string
  id: string
  suppression_id: string
  at: string
  actor: string
  action: HistoryAction
  reason: string
  requested_by: string | null
  channel: Channel | null
  reference: string | null
  requested_at: string | null
  /** number of businesses that were marked or unmarked */
  records: number
}

type SuppressionRecordKeyTable = {
  /** the number of the tenant */
  tenant: number
  key: string
  /** the number of the business */
  docid: number
  /** 1 for a value of the evidence of the business, 0 for its own */
  of_evidence: 0 | 1
}

/** Cause of a match: a new entry, a change of the record, a merge, or new rules of the keys. */
export type MatchCause = 'entry' | 'record' | 'merge' | 'reevaluation'

type SuppressionMatchTable = {
  tenant_id: string
  suppression_id: string
  business_id: string
  at: string
  cause: MatchCause
  live: 0 | 1
}
