// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    assist_policies: AssistPolicyTable
    assist_suggestions: AssistSuggestionTable
    assist_results: AssistResultTable
    assist_usage: AssistUsageTable
    assist_exchanges: AssistExchangeTable
  }
}

export const policyStates = [
  'draft',
  'in_review',
  'approved',
  'rejected',
  'expired',
  'superseded',
  'withdrawn',
] as const
export type PolicyState = (typeof policyStates)[number]

export const suggestionStates = [
  'queued',
  'running',
  'proposed',
  'no_result',
  'approved',
  'rejected',
  'invalidated',
  'expired',
] as const
export type SuggestionState = (typeof suggestionStates)[number]

export const assistPurposes = ['prospect_summary', 'draft_text'] as const
export type AssistPurpose = (typeof assistPurposes)[number]

export type AssistPolicyTable = {
  tenant_id: string
  id: string
  version: number
  /** JSON */
  content: string
  fingerprint: string
  created_at: string
  created_by: string
  state: PolicyState
  submitted_at: string | null
  submitted_by: string | null
  decided_at: string | null
  decided_by: string | null
  decision_reason: string | null
  ends_at: string | null
  ended_at: string | null
}

/** A request, as it was accepted. */
export type AssistSuggestionTable = {
  tenant_id: string
  id: string
  business_id: string
  purpose: AssistPurpose
  job_id: string
  policy_id: string
  /** JSON: ids and content hashes of the selected observations */
  evidence: string
  evidence_hash: string
  content_hash: string
  requested_at: string
  requested_by: string
}

/** The current state and outcome of a request. */
export type AssistResultTable = {
  tenant_id: string
  suggestion_id: string
  state: SuggestionState
  /** JSON; null before there is one */
  result: string | null
  claims: string
  fingerprint: string | null
  /** JSON: provider, adapter, model, adaptersFile, policy, redaction, prompt */
  versions: string | null
  source_id: string | null
  fallback_used: 0 | 1
  /** JSON: tokens, cost, reported */
  usage: string | null
  proposed_at: string | null
  decided_at: string | null
  decided_by: string | null
  decision_reason: string | null
  decision_event_id: string | null
  state_code: string | null
  state_since: string
  state_subject: string | null
}

export type UsageKind = 'reservation' | 'settlement' | 'correction'

/** A settlement holds the difference from its reservation, and counts at the time of the reservation. */
export type AssistUsageTable = {
  tenant_id: string
  id: string
  kind: UsageKind
  suggestion_id: string | null
  reservation_id: string | null
  adapter_id: string
  calls: number
  tokens: number
  cost: number
  counts_at: string
  lease_until: string | null
  reason: string | null
  at: string
  actor: string
}

export type AssistExchangeTable = {
  tenant_id: string
  id: string
  suggestion_id: string
  direction: 'sent' | 'received'
  /** null: not stored, or emptied */
  body: string | null
  bytes: number
  sha256: string
  at: string
  delete_after: string | null
  emptied_at: string | null
}
