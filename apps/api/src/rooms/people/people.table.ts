// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    people: PersonTable
    person_states: PersonStateTable
    person_identifiers: PersonIdentifierTable
  }
}

/** A person at a business. The row is written once; the content is in the tables below. */
export type PersonTable = { tenant_id: string; id: string; business_id: string; created_at: string; created_by: string }

export type PersonStateTable = {
  tenant_id: string
  business_id: string
  person_id: string
  version: number
  name: string
  role: string | null
  language: string | null
  note: string | null
  left_on: string | null
  /** a person of the workspace marked the person do not contact; null if nobody did */
  blocked_at: string | null
  blocked_by: string | null
  blocked_reason: string | null
  updated_at: string
  /** id of the person that this one was found to be; it has an effect while both belong to one prospect */
  joined_into: string | null
  /** the person or the business was erased */
  erased_at: string | null
}

export type PersonIdentifierTable = {
  tenant_id: string
  business_id: string
  person_id: string
  kind: 'email' | 'phone'
  position: number
  original: ContactText
  label: string | null
  region: string | null
  blocked_at: string | null
}
