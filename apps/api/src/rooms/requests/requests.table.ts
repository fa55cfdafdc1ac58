// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    subject_requests: SubjectRequestTable
  }
}

export const requestKinds = ['access', 'correction', 'objection', 'erasure', 'source'] as const
export const requestOutcomes = ['granted', 'granted_in_part', 'refused', 'withdrawn'] as const

export type SubjectRequestTable = {
  tenant_id: string
  id: string
  version: number
  kind: (typeof requestKinds)[number]
  received_at: string
  first_due_on: string
  due_on: string
  requester_name: string
  requester_contact: ContactText | null
  contact_kind: 'email' | 'phone' | null
  contact_normalized: ContactText | null
  identity_check: string | null
  business_id: string | null
  created_at: string
  created_by: string
  extended_at: string | null
  extended_by: string | null
  extension_reason: string | null
  answered_at: string | null
  answered_by: string | null
  outcome: (typeof requestOutcomes)[number] | null
  answer: string | null
  /** JSON list of the ids of audit events */
  acts: string
  /** time at which the data of the person were emptied */
  emptied_at: string | null
}
