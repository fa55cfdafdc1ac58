// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated, Selectable } from 'kysely'
import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    domain_names: DomainNameTable
    dns_observations: DnsObservationTable
    dns_cache: DnsCacheTable
    domain_uses: DomainUseTable
    domain_records: DomainRecordTable
    domain_candidates: DomainCandidateTable
    domain_candidate_states: CandidateStateTable
    domain_associations: DomainAssociationTable
  }
}

/** A known domain. Triggers maintain the counts in this table. */
export type DomainNameTable = {
  tenant_id: string
  domain: ContactText
  label: string
  skeleton: string
  letters: string
  uses: Generated<number>
  observations: Generated<number>
  open_candidates: Generated<number>
  candidates: Generated<number>
  last_observed_at: string | null
}

export type DomainName = Selectable<DomainNameTable>

export const dnsKinds = ['MX', 'NS', 'TXT'] as const
export type DnsKind = (typeof dnsKinds)[number]

/** Statuses that a person may record. Only the service sets `not_checked` and `pending`. */
export const recordedStatuses = ['resolved', 'no_data', 'nxdomain', 'servfail', 'timeout', 'blocked', 'error'] as const
export type RecordedStatus = (typeof recordedStatuses)[number]
export const dnsStatuses = ['not_checked', 'pending', ...recordedStatuses] as const
export type StoredStatus = RecordedStatus | 'pending'

/** Reasons for the status `blocked` (the policy that blocked a question) or `error` (the kind of error). */
export const dnsReasons = [
  'refused',
  'name_forbidden',
  'response_code',
  'alias_loop',
  'too_many_aliases',
  'too_many_records',
  'truncated',
  'incomplete',
  'referral',
  'malformed',
  'mismatched',
  'answer_too_large',
  'connection_failed',
  'interrupted',
  'not_sent',
] as const
export type DnsReason = (typeof dnsReasons)[number]

export type DnsObservationTable = {
  tenant_id: string
  id: string
  name: ContactText | null
  domain: ContactText | null
  kind: DnsKind
  status: 'pending' | 'resolved' | 'no_data' | 'nxdomain' | 'servfail' | 'timeout' | 'blocked' | 'error'
  /** JSON of the schema `recordsSchema` */
  records: ContactText
  /** JSON list of names */
  aliases: ContactText
  resolver: ContactText | null
  origin: 'operator' | 'adapter'
  observed_at: string | null
  ttl: number | null
  is_truncated: 0 | 1
  is_partial: 0 | 1
  reason: DnsReason | null
  policy_version: string
  normalization_version: string
  suffix_list_version: string
  source_id: string | null
  query_id: string | null
  /** job that sends the question */
  job_id: string | null
  raw: string | null
  raw_sha256: string | null
  raw_delete_after: string | null
  raw_deleted_at: string | null
  erased_at: string | null
  created_at: string
  created_by: string
}

/** A cache entry. `used` increases with every use, so the entry with the lowest value is the least recently used one. */
export type DnsCacheTable = {
  tenant_id: string
  name: ContactText
  kind: DnsKind
  class: 'IN'
  policy_version: string
  observation_id: string
  domain: ContactText
  suffix_list_version: string
  expires_at: string
  used: number
}

export type DomainUseTable = {
  tenant_id: string
  domain: ContactText
  business_id: string
  by_record: 0 | 1
  by_email: 0 | 1
  /** JSON list of host names */
  hosts: ContactText
}

export type DomainRecordTable = { tenant_id: string; business_id: string; label: string | null; rules_version: string }

export type DomainCandidateTable = {
  tenant_id: string
  id: string
  business_id: string
  /** registrable domain; empty once erased */
  domain: ContactText
  origin: 'derived' | 'person'
  reason: string | null
  previous_id: string | null
  created_at: string
  created_by: string
  /** host as it was typed, or as the first evidence that names one states it; null for a name alone, and once erased */
  host: ContactText | null
}

export const candidateStates = ['open', 'accepted', 'rejected', 'superseded', 'withdrawn'] as const
export type CandidateState = (typeof candidateStates)[number]
export const bands = ['low', 'medium', 'high'] as const
export type Band = (typeof bands)[number]

export type CandidateStateTable = {
  tenant_id: string
  candidate_id: string
  domain: ContactText
  state: CandidateState
  band: Band
  /** JSON of the schema `evaluationSchema` */
  evaluation: ContactText
  fingerprint: string
  algorithm_version: string
  normalization_version: string
  suffix_list_version: string
  evaluated_at: string
  decided_at: string | null
  decided_by: string | null
  decision_reason: string | null
  withdrawn_at: string | null
  withdrawn_by: string | null
  withdrawal_reason: string | null
  due_at: string | null
}

export type DomainAssociationTable = {
  tenant_id: string
  id: string
  business_id: string
  /** registrable domain; empty once erased */
  domain: ContactText
  candidate_id: string
  created_at: string
  created_by: string
}
