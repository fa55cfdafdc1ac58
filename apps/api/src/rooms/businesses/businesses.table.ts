// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated, Selectable } from 'kysely'
import type { PipelineState } from '../../lib/pipeline-state.ts'
import type { ContactText } from '../contact-gate/contact-gate.ts'
import type { Uncertainty } from '../normalization/normalization.ts'

declare module '../../store/database.ts' {
  interface Database {
    businesses: NumberedBusinessTable
    business_identifiers: BusinessIdentifierTable
    business_tags: BusinessTagTable
    business_search: BusinessSearchTable
    business_search_pending: BusinessSearchTable
    business_name_keys: BusinessNameKeyTable
    business_search_renewals: BusinessSearchRenewalTable
    business_counts: BusinessCountTable
    business_tag_counts: BusinessTagCountTable
    erasures: ErasureTable
  }
}

export type BlockedThrough = 'hand' | 'suppression' | 'both'

export type BusinessStatus = 'active' | 'merged' | 'inactive'

/** A business as it is read: all columns but the number of its row. */
export type BusinessTable = Omit<Selectable<NumberedBusinessTable>, 'docid'>

type NumberedBusinessTable = {
  /** the number of the row, to which derived rows refer; the store assigns it, and no route returns it */
  docid: Generated<number>
  tenant_id: string
  id: string
  version: number
  created_at: string
  created_by: string
  updated_at: string
  name: string
  /** the name, folded for sorting and for prefix search */
  name_key: string
  trading_name: string | null
  registration_number: string | null
  industry: string | null
  street: string | null
  suburb: string | null
  city: string | null
  province: string | null
  province_code: 'other' | 'EC' | 'FS' | 'GP' | 'KZN' | 'LP' | 'MP' | 'NC' | 'NW' | 'WC' | null
  postal_code: string | null
  country: string | null
  /** JSON array of tags as typed; `business_tags` has a row for each tag */
  tags: string
  assignee_id: string | null
  /** the first value of each kind, stored here so that lists need no second query */
  primary_email: ContactText | null
  primary_phone: ContactText | null
  primary_domain: ContactText | null
  status: BusinessStatus
  merged_into: string | null
  pipeline_state:
    | 'new'
    | 'contacted'
    | 'qualified'
    | 'proposal'
    | 'negotiation'
    | 'won'
    | 'lost'
    | 'paused'
    | 'disqualified'
  state_before_pause: 'new' | 'contacted' | 'qualified' | 'proposal' | 'negotiation' | null
  do_not_contact: 0 | 1
  blocked_at: string | null
  blocked_by: string | null
  blocked_reason: string | null
  /** null if the record is not blocked */
  blocked_through: BlockedThrough | null
  has_evidence: 0 | 1
  normalization_version: string
  /** null unless a person deactivated the record */
  deactivated_at: string | null
  deactivated_by: string | null
  /** time of the last interaction, derived from its interactions (record/last-contact.ts) */
  last_interaction_at: string | null
  /** the open follow-up date; null if there is none */
  follow_up_on: string | null
  /** 1 if the registered name is unknown and `name` is the trading name; ignored if the two names differ */
  name_stands_in: Generated<0 | 1>
  /** null if the phone cannot be normalized */
  primary_phone_normalized: ContactText | null
  /** observations of the record and of the records merged into it (record/evidence-count.ts) */
  evidence_count: Generated<number>
  employees: number | null
  /** outcome of the last interaction, derived with its time; null if there is none */
  last_outcome:
    | 'connected'
    | 'no_answer'
    | 'left_message'
    | 'meeting_booked'
    | 'meeting_held'
    | 'qualified'
    | 'disqualified'
    | 'won'
    | 'lost'
    | 'other'
    | null
  /** sum of the doubts about its place and its phones (record/doubts.ts) */
  doubts: Generated<number>
  /** a person of the record, or of one merged into it, has not left and is not do not contact; derived with the search text */
  has_person: Generated<0 | 1>
}

export type BusinessIdentifierTable = {
  tenant_id: string
  business_id: string
  kind: 'email' | 'phone' | 'domain'
  position: number
  original: ContactText
  label: string | null
  region: string | null
  normalized: ContactText | null
  uncertainty: Uncertainty | null
  normalization_version: string
}

/** Tags of businesses, maintained by triggers. `listed_at`: time of the business's last change; empty if lists omit the business. */
export type BusinessTagTable = {
  tenant_id: string
  tag_key: string
  listed_at: string
  business_id: string
  tag: string
}

/** Keys by which two spellings of a name are equal (`nameKeyOf`): those of the name and of the trading name. */
export type BusinessNameKeyTable = {
  /** the number of the tenant */
  tenant: number
  name_key: string
  /** the number of the business */
  docid: number
}

/** Tenants whose search data is derived again. `after_id`: the last record that was renewed; empty at the beginning. */
type BusinessSearchRenewalTable = { tenant_id: string; after_id: string }

type BusinessSearchTable = { docid: Generated<number>; tenant: string; text: string }

/** Stored counts of businesses, maintained by triggers and never written by code. An empty string means no province or no assignee. */
export type BusinessCountTable = {
  tenant_id: string
  pipeline_state: PipelineState
  province_code: string
  assignee_id: string
  do_not_contact: 0 | 1
  has_evidence: 0 | 1
  count: number
}

export type BusinessTagCountTable = { tenant_id: string; tag_key: string; tag: string; count: number }

export type ErasureTable = {
  tenant_id: string
  business_id: string
  /** id of the erased record; all records merged into it were erased with it */
  root_id: string
  at: string
  actor: string
}
