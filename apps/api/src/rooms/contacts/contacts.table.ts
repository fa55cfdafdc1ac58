// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    contact_enablements: EnablementTable
    extractions: ExtractionTable
    extraction_results: ExtractionResultTable
    extraction_counts: ExtractionCountTable
    contact_candidates: ContactCandidateTable
    contact_candidate_states: ContactCandidateStateTable
    contact_sightings: SightingTable
    contact_decisions: ContactDecisionTable
    contact_rejections: RejectionTable
  }
}

export const contactKinds = ['email', 'phone'] as const
export type ContactKind = (typeof contactKinds)[number]

export const methods = ['text', 'mailto', 'tel', 'chat_link', 'microdata', 'h_card', 'hcard', 'json_ld'] as const
export type Method = (typeof methods)[number]

/** Reasons for which a value waits in quarantine, the strongest reason first. */
export const quarantineRules = [
  'hidden',
  'code',
  'quote',
  'user_comment',
  'article',
  'credits',
  'link_differs',
  'mailto_copy',
  'written_out',
  'obfuscated',
  'other_organisation',
  'json_ld_only',
  'confusable',
  'syntax',
  'other_domain',
  'value_limit',
] as const
export type QuarantineRule = (typeof quarantineRules)[number]

export const syntaxes = ['valid', 'unusual', 'invalid'] as const
export type Syntax = (typeof syntaxes)[number]

export const enablementStates = ['disabled', 'enabled', 'lapsed'] as const
export type EnablementState = (typeof enablementStates)[number]

export type EnablementTable = {
  tenant_id: string
  id: string
  state: EnablementState
  reason: string
  /** JSON: the checklist as it was */
  checklist: string
  extractor_version: number
  policy_version: number
  /** JSON */
  limits: string
  valid_until: string | null
  at: string
  actor: string
}

export const extractionStates = [
  'queued',
  'running',
  'complete',
  'deferred',
  'blocked',
  'unknown',
  'failed',
  'cancelled',
] as const
export type ExtractionState = (typeof extractionStates)[number]

/** Written once; the result is in `extraction_results`. */
export type ExtractionTable = {
  tenant_id: string
  id: string
  business_id: string
  /** JSON */
  scan_ids: string
  extractor_version: number
  policy_version: number
  /** JSON: the limits that apply */
  limits: string
  requested_at: string
  requested_by: string
  job_id: string | null
}

export type ExtractionResultTable = {
  tenant_id: string
  extraction_id: string
  state: ExtractionState
  /** JSON */
  reasons: string
  /** JSON: addresses of pages, each with the reason */
  not_read: ContactText
  /** JSON: counts of what became no candidate */
  counts: string
  ended_at: string | null
  emptied_at: string | null
}

type ExtractionCountTable = { tenant_id: string; day: string; requested: number }

/** Written once; the values and the state are in `contact_candidate_states`. */
export type ContactCandidateTable = {
  tenant_id: string
  id: string
  business_id: string
  extraction_id: string
  kind: ContactKind
  created_at: string
}

export const contactStates = ['open', 'known', 'quarantined', 'accepted', 'rejected', 'suppressed', 'expired'] as const
export type ContactState = (typeof contactStates)[number]
export const undecidedStates = ['open', 'known', 'quarantined'] as const

export type ContactCandidateStateTable = {
  tenant_id: string
  candidate_id: string
  business_id: string
  kind: ContactKind
  state: ContactState
  /** null once it was emptied, as are `normalized`, `identity` and `domain` */
  value: ContactText | null
  normalized: ContactText | null
  normalization_version: string
  uncertainty: string | null
  /** by which the same value is found again */
  identity: ContactText | null
  /** of an email address */
  domain: ContactText | null
  rule: QuarantineRule | null
  /** JSON */
  confidence: string
  syntax: Syntax
  is_role: 0 | 1
  is_free_mail: 0 | 1
  delete_after: string
  emptied_at: string | null
  /** country with which a number in local form was read */
  region: string | null
}

export type SightingTable = {
  tenant_id: string
  id: string
  candidate_id: string
  extraction_id: string
  scan_id: string
  site_id: string
  page_url: ContactText | null
  page_title: ContactText | null
  location: ContactText | null
  context: ContactText | null
  method: Method
  rule: QuarantineRule | null
  /** how the extraction classified the value */
  result: 'open' | 'known' | 'quarantined'
  observed_at: string
}

export const contactDecisions = ['accept', 'reject', 'release'] as const

export type ContactDecisionTable = {
  tenant_id: string
  id: string
  candidate_id: string
  decision: (typeof contactDecisions)[number]
  reason: string | null
  fingerprint: string
  evidence_id: string | null
  added_to_record: 0 | 1
  at: string
  actor: string
}

type RejectionTable = {
  tenant_id: string
  business_id: string
  hash: string
  candidate_id: string
  rejected_at: string
}
