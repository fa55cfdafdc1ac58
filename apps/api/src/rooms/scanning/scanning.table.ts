// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated } from 'kysely'
import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    scans: ScanTable
    scan_results: ScanResultTable
    scan_pages: ScanPageTable
    scan_hops: ScanHopTable
    scan_cache: ScanCacheTable
    scan_counts: ScanCountTable
    official_sites: OfficialSiteTable
    official_site_decisions: OfficialSiteDecisionTable
    scan_policies: ScanPolicyTable
    scan_policy_approvals: ScanPolicyApprovalTable
  }
}

export const scanOrigins = ['supplied', 'fetched'] as const
export type ScanOrigin = (typeof scanOrigins)[number]
export const scanStates = ['deferred', 'queued', 'running', 'complete', 'incomplete', 'blocked', 'cancelled'] as const
export type ScanState = (typeof scanStates)[number]

/** A row is inserted once and never updated; `scan_results` has the results of the scan. */
export type ScanTable = {
  tenant_id: string
  id: string
  business_id: string
  origin: ScanOrigin
  url: ContactText | null
  requested_at: string
  requested_by: string
  job_id: string | null
}

export type ScanResultTable = {
  tenant_id: string
  scan_id: string
  state: ScanState
  /** JSON */
  reasons: string
  observed_at: string | null
  ended_at: string | null
  scanner_version: number
  /** 0 for the built-in defaults */
  policy_version: number
  address_policy_version: number
  dns_policy_version: number | null
  /** JSON: the budgets */
  applied: string
  /** JSON */
  spent: string
  expires_at: string | null
  cache_status: 'miss' | 'bypass' | 'not_cached'
  delete_after: string | null
  emptied_at: string | null
  /** versions of the last re-evaluation */
  evaluated_by: string | null
}

export const pageClasses = ['content', 'empty', 'needs_script', 'error', 'not_html', 'unreadable', 'unknown'] as const
export type PageClass = (typeof pageClasses)[number]

export const pageRoles = ['start', 'contact', 'about', 'other'] as const
export type PageRole = (typeof pageRoles)[number]

export const pageOutcomes = [
  'read',
  'read_in_part',
  'not_read',
  'refused',
  'deferred',
  'blocked',
  'interrupted',
] as const
export type PageOutcome = (typeof pageOutcomes)[number]

export type ScanPageTable = {
  tenant_id: string
  scan_id: string
  position: number
  url: ContactText
  role: PageRole
  /** null until the page is complete */
  outcome: PageOutcome | null
  /** JSON */
  facts: ContactText | null
  class: PageClass
  /** JSON */
  suspected: string
  /** JSON */
  reasons: string
  /** the earliest next request that the host named */
  retry_at: string | null
}

export type ScanHopTable = {
  tenant_id: string
  scan_id: string
  page: number
  position: number
  url: ContactText
  status: number | null
  address: string | null
  verdict: 'allowed' | 'denied'
  reason: string | null
}

type ScanCountTable = { tenant_id: string; day: string; fetched: Generated<number>; supplied: Generated<number> }

export const siteOrigins = ['person', 'domain_association'] as const

export type OfficialSiteTable = {
  tenant_id: string
  id: string
  business_id: string
  host: ContactText | null
  origin: (typeof siteOrigins)[number]
  domain_candidate_id: string | null
  created_at: string
  created_by: string
}

export type OfficialSiteDecisionTable = {
  tenant_id: string
  id: string
  site_id: string
  decision: 'approve' | 'reject' | 'withdraw' | 'expire'
  reason: string
  fingerprint: string
  valid_until: string | null
  at: string
  actor: string
}

export type ScanPolicyTable = {
  tenant_id: string
  id: string
  version: number
  based_on: number
  /** JSON */
  bounds: string
  retention_days: number
  created_at: string
  created_by: string
}

export type ScanPolicyApprovalTable = { tenant_id: string; version: number; reason: string; at: string; actor: string }

type ScanCacheTable = {
  tenant_id: string
  business_id: string
  url_hash: string
  scan_id: string
  used_at: string
}
