// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ReviewState } from './review-summary.schema.ts'

declare module '../../store/database.ts' {
  interface Database {
    reviews: ReviewTable
    review_states: ReviewStateTable
    review_counts: ReviewCountTable
    review_claims: ReviewClaimTable
    review_settings: ReviewSettingsTable
  }
}

export const decisions = ['verify', 'reject', 'defer', 'reopen'] as const
export type Decision = (typeof decisions)[number]

export const reasonCodes = ['not_a_business', 'duplicate', 'out_of_scope', 'closed', 'cannot_verify', 'other'] as const
export type ReasonCode = (typeof reasonCodes)[number]

export type ReviewTable = {
  tenant_id: string
  id: string
  business_id: string
  decision: Decision
  reason_code: ReasonCode | null
  reason: string | null
  checked_fields: string
  until: string | null
  method: 'single' | 'bulk'
  bulk_id: string | null
  undoes: string | null
  fingerprint: string
  business_version: number
  created_at: string
  created_by: string
}

export type ReviewStateTable = {
  tenant_id: string
  business_id: string
  state: 'unreviewed' | 'verified' | 'rejected' | 'outdated' | 'deferred'
  is_due: 0 | 1
  due_from: string | null
  review_id: string
  facts_hash: string
  decided_at: string
  is_active: 0 | 1
  do_not_contact: 0 | 1
}

export type ReviewCountTable = {
  tenant_id: string
  state: ReviewState
  is_due: number
  do_not_contact: number
  count: number
}

export type ReviewClaimTable = { tenant_id: string; business_id: string; user_id: string; until: string }

export type ReviewSettingsTable = {
  tenant_id: string
  version: number
  term_days: number | null
  is_applied: 0 | 1
  updated_at: string
  updated_by: string
}
