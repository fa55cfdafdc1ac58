import type { Evidence, EvidenceField } from '@prospect/api-client'
import type { RecordForm } from './record-parts.ts'

/** What a form for evidence opens with: a fact to support, the observation that it corrects, or a page where something was seen. */
export type EvidencePrefill =
  | { field: EvidenceField; value: string }
  | { corrects: Evidence }
  | { page: { url: string; sourceLabel: string; observation: string } }

/** Other rooms open it too. null: blank. */
export const evidenceForm: RecordForm<EvidencePrefill | null> = { id: 'evidence', tab: 'evidence' }
