import type { Evidence, EvidenceField } from '@prospect/api-client'
import type { RecordForm } from './record-parts.ts'

/** Initial content of the evidence form: a fact to support, an observation to correct, or a page on which something was seen. */
export type EvidencePrefill =
  | { field: EvidenceField; value: string }
  | { corrects: Evidence }
  | { page: { url: string; sourceLabel: string; observation: string } }

/** The evidence form, which other rooms open too. A null start gives a blank form. */
export const evidenceForm: RecordForm<EvidencePrefill | null> = { id: 'evidence', tab: 'evidence' }
