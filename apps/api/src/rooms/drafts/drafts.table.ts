// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated, Selectable } from 'kysely'
import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    drafts: DraftTable
    draft_versions: DraftVersionTable
    draft_citations: DraftCitationTable
    draft_requests: DraftRequestTable
    draft_events: DraftEventTable
    draft_copies: DraftCopyTable
    draft_templates: DraftTemplateTable
    draft_policies: DraftPolicyTable
    legal_bases: StoredLegalBasisTable
    legal_basis_withdrawals: LegalBasisWithdrawalTable
  }
}

export const channels = ['email', 'sms', 'letter', 'call_script'] as const
export type Channel = (typeof channels)[number]

export const purposes = ['introduction', 'follow_up', 'answer', 'consent_request'] as const
export type Purpose = (typeof purposes)[number]

export const recipientKinds = ['email', 'phone', 'address'] as const
export type RecipientKind = (typeof recipientKinds)[number]

export const draftStates = ['writing', 'in_review', 'approved', 'needs_review', 'closed'] as const
export type DraftState = (typeof draftStates)[number]

export const basisKinds = [
  'consent',
  'existing_customer',
  'asked_by_them',
  'contract',
  'legitimate_interest',
  'consent_asked_once',
] as const
export type BasisKind = (typeof basisKinds)[number]

export const basisForms = ['written', 'electronic', 'telephone', 'existing_customer', 'none', 'unknown'] as const
export type BasisForm = (typeof basisForms)[number]

export const policyStates = ['proposed', 'approved', 'rejected', 'withdrawn', 'superseded', 'expired'] as const
export type PolicyState = (typeof policyStates)[number]

export const eventKinds = [
  'created',
  'saved',
  'requested',
  'withdrawn',
  'rejected',
  'approved',
  'stale',
  'expired',
  'copied',
  'closed',
] as const
export type EventKind = (typeof eventKinds)[number]

export const requestOutcomes = ['approved', 'rejected', 'withdrawn', 'saved', 'expired', 'stale', 'closed'] as const
export type RequestOutcome = (typeof requestOutcomes)[number]

export type DraftTable = {
  tenant_id: string
  id: string
  business_id: string
  title: string
  assignee_id: string
  state: DraftState
  is_open: 0 | 1
  version: number
  jurisdiction: string
  channel: Channel
  request_id: string | null
  stale_since: string | null
  stale_causes: string | null
  due_at: string | null
  created_at: string
  created_by: string
  updated_at: string
}

export type DraftVersionTable = {
  tenant_id: string
  id: string
  draft_id: string
  business_id: string
  number: number
  jurisdiction: string
  channel: Channel
  purpose: Purpose
  language: string
  recipient_kind: RecipientKind
  recipient_value: ContactText
  recipient_normalized: ContactText | null
  subject: string | null
  text: string
  no_citation_reason: string | null
  acknowledgements: string
  suggestion_id: string | null
  template_id: string | null
  content_hash: string
  created_at: string
  created_by: string
}

export type DraftCitationTable = {
  tenant_id: string
  draft_id: string
  number: number
  marker: number
  evidence_id: string
  evidence_hash: string
  quote: string | null
}

export type DraftRequestTable = {
  tenant_id: string
  id: string
  draft_id: string
  number: number
  content_hash: string
  snapshot_hash: string
  snapshot: string
  requested_at: string
  requested_by: string
  expires_at: string
  outcome: RequestOutcome | null
  decided_at: string | null
  decided_by: string | null
  reason: string | null
  approval_ends_at: string | null
  sequence: number | null
}

export type DraftEventTable = {
  tenant_id: string
  id: string
  draft_id: string
  kind: EventKind
  version: number
  causes: string
  reason: string | null
  at: string
  actor: string
}

export type DraftCopyTable = {
  tenant_id: string
  id: string
  draft_id: string
  number: number
  request_id: string
  idempotency_key: string
  fingerprint: string
  recipient_key: string
  purpose: Purpose
  policy: string
  copied_at: string
  copied_by: string
}

export type DraftTemplateTable = {
  tenant_id: string
  id: string
  version: number
  name: string
  channel: Channel
  purpose: Purpose
  language: string
  subject: string | null
  text: string
  created_at: string
  created_by: string
  updated_at: string
}

export type DraftPolicyTable = {
  tenant_id: string
  id: string
  jurisdiction: string
  channel: Channel
  number: number
  content: string
  owner_id: string
  ends_at: string
  state: PolicyState
  proposed_at: string
  proposed_by: string
  decided_at: string | null
  decided_by: string | null
  reason: string | null
}

type StoredLegalBasisTable = {
  tenant_id: string
  id: string
  business_id: string
  kind: BasisKind
  channels: string
  purpose: Purpose
  jurisdiction: string
  recipient_kind: RecipientKind | null
  recipient_value: ContactText | null
  recipient_normalized: ContactText | null
  document_reference: string | null
  evidence_id: string | null
  valid_from: string
  valid_until: string
  created_at: string
  created_by: string
  form: Generated<BasisForm>
  language: string | null
  agreed_to: string | null
  recording_reference: string | null
  sale: string | null
  sold_on: string | null
}
export type LegalBasisTable = Selectable<StoredLegalBasisTable>

export type LegalBasisWithdrawalTable = {
  tenant_id: string
  basis_id: string
  at: string
  actor: string
  reason: string | null
}
