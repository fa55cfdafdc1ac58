import type { FactField } from '../businesses/businesses.ts'

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
  value: string | null
  observation: string | null
  source_reference: string | null
  source_label: string | null
  captured_at: string
  observed_at: string | null
  /** a day; `captured_at` is then its beginning */
  captured_on: string | null
  observed_on: string | null
  confidence: Confidence
  context: string | null
  url: string | null
  supersedes_id: string | null
  created_at: string
  created_by: string
  /** the source record that it was selected from */
  source_record_id: string | null
}
