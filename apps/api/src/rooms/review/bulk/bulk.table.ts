// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated, Selectable } from 'kysely'
import type { ReasonCode } from '../../review-decisions/review-decisions.ts'

declare module '../../../store/database.ts' {
  interface Database {
    bulk_previews: BulkPreviewTable
    bulk_reviews: BulkReviewTable
    bulk_outcomes: BulkOutcomeTable
  }
}

export const bulkActions = ['verify', 'reject', 'assign', 'add_tag', 'remove_tag'] as const
export type BulkAction = (typeof bulkActions)[number]

export const outcomeCodes = [
  'changed_since_preview',
  'changed_since',
  'suppressed',
  'business_not_active',
  'fact_contradicted',
  'permission_denied',
  'assignee_not_a_member',
  'too_many_tags',
  'not_found',
] as const
export type OutcomeCode = (typeof outcomeCodes)[number]

/** Parameters of a bulk action. `tag` is null if an erasure removed the tag. */
export type BulkParams = { assigneeId?: string | null; tag?: string | null; reasonCode?: ReasonCode }

export type BulkPreviewRow = Selectable<BulkPreviewTable>

type BulkPreviewTable = {
  tenant_id: string
  id: string
  action: BulkAction
  params: string
  undoes: string | null
  predicate: string | null
  excluded: number
  size: number
  as_of: string
  would_change: number
  unchanged: number
  refused: string
  records: string
  fingerprint: string
  created_at: string
  created_by: string
  expires_at: string
  /** maximum size of a selection of this kind */
  max_size: Generated<number>
}

export type BulkReviewTable = {
  tenant_id: string
  id: string
  preview_id: string
  job_id: string
  correlation_id: string
  /** empty if none was given */
  reason: string
  created_at: string
  created_by: string
  ended_at: string | null
  digest: string | null
  read_back: string | null
}

export type BulkOutcomeTable = {
  tenant_id: string
  bulk_id: string
  place: number
  business_id: string
  outcome: 'changed' | 'unchanged' | 'refused'
  code: OutcomeCode | null
  before: string | null
  after: string | null
  audit_event_id: string | null
}
