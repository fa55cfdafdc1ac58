// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { FactField } from '../businesses/businesses.ts'
import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    evidence: EvidenceTable
  }
}

export type Confidence = 'low' | 'medium' | 'high'

export type EvidenceTable = {
  tenant_id: string
  id: string
  business_id: string
  field: FactField | null
  value: ContactText | null
  observation: string | null
  source_reference: string | null
  source_label: string | null
  captured_at: string
  /** day of the capture, if only the day is known; `captured_at` is then the beginning of the day */
  captured_on: string | null
  observed_at: string | null
  observed_on: string | null
  confidence: Confidence
  context: string | null
  url: ContactText | null
  supersedes_id: string | null
  created_at: string
  created_by: string
  /** id of the source record from which the observation was selected */
  source_record_id: string | null
}
