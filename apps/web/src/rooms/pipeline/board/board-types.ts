import type { BusinessSummary, PipelineState } from '@prospect/api-client'

/** Move that waits for its reason, or move that was refused. It is shown on the card. */
export type Asking = { row: BusinessSummary; to: PipelineState; isRequired: boolean; refusal: string | null }
export type Refusal = { businessId: string; text: string }
