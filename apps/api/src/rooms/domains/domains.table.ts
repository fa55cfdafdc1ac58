import type { DnsRecord } from '@prospect/adapter-contract/dns'
import type { Generated } from 'kysely'

declare module '../../store/database.ts' {
  interface Database {
    domain_names: DomainNameTable
    dns_observations: DnsObservationTable
    dns_cache: DnsCacheTable
  }
}

/** Triggers keep the counts. */
export type DomainNameTable = {
  tenant_id: string
  domain: string
  label: string
  skeleton: string
  letters: string
  uses: Generated<number>
  observations: Generated<number>
  open_candidates: Generated<number>
  candidates: Generated<number>
  last_observed_at: Generated<string | null>
}

export const dnsKinds = ['MX', 'NS', 'TXT'] as const
export type DnsKind = DnsRecord['kind']

/** What a person may record: neither that nobody asked nor that an answer is awaited. */
export const recordedStatuses = ['resolved', 'no_data', 'nxdomain', 'servfail', 'timeout', 'blocked', 'error'] as const
export type RecordedStatus = (typeof recordedStatuses)[number]
export const dnsStatuses = ['not_checked', 'pending', ...recordedStatuses] as const
export type StoredStatus = RecordedStatus | 'pending'

/** Which policy blocked, or which error. */
export const dnsReasons = [
  'refused',
  'name_forbidden',
  'response_code',
  'alias_loop',
  'too_many_aliases',
  'too_many_records',
  'truncated',
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
  name: string | null
  domain: string | null
  kind: DnsKind
  status: StoredStatus
  /** JSON; see `recordsSchema` */
  records: string
  /** a JSON list of names */
  aliases: string
  resolver: string | null
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
  /** which sends the question */
  job_id: string | null
  raw: string | null
  raw_sha256: string | null
  raw_delete_after: string | null
  raw_deleted_at: string | null
  erased_at: string | null
  created_at: string
  created_by: string
}

/** `used`: rises with every use, so that the lowest is the least recently used. */
export type DnsCacheTable = {
  tenant_id: string
  name: string
  kind: DnsKind
  class: 'IN'
  policy_version: string
  observation_id: string
  domain: string
  suffix_list_version: string
  expires_at: string
  used: number
}
